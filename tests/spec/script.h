#pragma once

// A specification script as wast2json (wabt) writes it: a row of commands. Plain data; what each
// command means is decided in plan.h.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/job/lane_program.h"

namespace wb::spec {

enum class CommandKind : uint8_t {
  kModule,
  kRegister,
  kAction,
  kAssertReturn,
  kAssertTrap,
  kAssertExhaustion,
  kAssertInvalid,
  kAssertMalformed,
  kAssertUnlinkable,
  kAssertUninstantiable,
};
std::string_view CommandName(CommandKind kind);  // "assert_return"

// How one float (or one float lane of a vector) is compared.
enum class NanClass : uint8_t {
  kExact,       // all bits
  kCanonical,   // a NaN with payload 0 and the quiet bit, either sign
  kArithmetic,  // a NaN with the quiet bit, any payload, either sign
};

// An argument or an expected result. A reference is one word: kNullReference, or the number that
// the script gives (a host reference). Lanes of a vector lie little end first in value.words.
struct ScriptValue {
  static constexpr uint32_t kNullReference = Value::kNullReference;
  Value value;
  uint8_t lane_bits = 0;           // v128: 8, 16, 32 or 64
  bool any_value = false;          // expected only: any value of the type (a function reference)
  std::array<NanClass, 4> nans{};  // f32, f64: [0]; v128 of floats: one per lane
};

struct Action {
  bool get = false;    // reads an exported global, else calls an exported function
  std::string module;  // "$name", empty: the latest module
  std::string field;
  std::vector<ScriptValue> args;
};

struct Command {
  CommandKind kind = CommandKind::kModule;
  uint32_t line = 0;
  std::string name;      // module: its "$name"; register: the module registered; may be empty
  std::string filename;  // module and assertions about modules: beside the script's JSON
  std::string text;      // assertions: the specification's words for the failure
  std::string as;        // register: under this import name
  bool is_text = false;  // filename is module text, not a binary
  Action action;
  std::vector<ScriptValue> expected;
  bool either = false;  // `expected` are alternatives for the one result
};

struct Script {
  std::vector<Command> commands;
};

// Errors: INVALID_ARGUMENT naming the command that is not as wast2json writes them.
Result<Script> ParseScript(std::string_view json);

// Whether spectest-interp counts the command as a test: all but `register`.
bool Counts(CommandKind kind);

// Checks that only decoding (or parsing text) can answer; they run no code.
bool IsDecoderCheck(CommandKind kind);

}  // namespace wb::spec
