#pragma once

// The lane program: what an instance does after instantiation, step by step, without a host round
// trip between steps. Named by exports and columns here; encoded to the words that the kernel's
// outer loop interprets (STEP_* and OPERAND_* in compiler/abi/lane.def).

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/base/status.h"
#include "compiler/wasm/module.h"

namespace wb {

// A value: `words` by type (f32 and f64 as bits), little end first. A reference is one word: a
// function's index or a number of the host's, or kNullReference. As an argument its number may also
// be given as an i32 (-1: null); a function reference only as null or as a result of a step.
struct Value {
  static constexpr uint32_t kNullReference = 0xffffffff;
  ValueType type = ValueType::kI32;
  std::array<uint32_t, 4> words{};
  bool operator==(const Value&) const = default;

  static Value I32(uint32_t v) { return {ValueType::kI32, {v, 0, 0, 0}}; }
  static Value I64(uint64_t v) {
    return {ValueType::kI64, {static_cast<uint32_t>(v), static_cast<uint32_t>(v >> 32), 0, 0}};
  }
  static Value F32(float v);
  static Value F64(double v);
  static Value Reference(ValueType type, uint32_t number = kNullReference) {
    return {type, {number, 0, 0, 0}};
  }
  // Engines hold a reference as its number plus one, null as 0.
  static uint32_t ReferenceToLane(uint32_t number) { return number + 1; }
  static uint32_t ReferenceFromLane(uint32_t word) { return word - 1; }
  uint64_t bits() const { return words[0] | static_cast<uint64_t>(words[1]) << 32; }
};

struct GlobalName {
  std::string name;      // as it is exported
  std::string instance;  // of linked modules, whose export; empty: the last one's
};

struct Operand {
  enum class Source : uint8_t {
    kConstant,
    kColumn,        // the instance's value
    kResult,        // of an earlier step
    kColumnLength,  // how many bytes the instance has in a bytes column, an i32
    kGlobal,        // an exported global, as the step begins
    kLoad32,  // the four bytes of memory 0 at a pointer, an i32; out of bounds: the step traps
  };
  Source source = Source::kConstant;
  Value value;          // the constant; for the others what is added (integers, modulo their size)
  uint32_t column = 0;  // kColumn, kColumnLength: index into the job's columns
  uint32_t step = 0;    // kResult: an earlier step ...
  uint32_t result = 0;  // ... and which of its results
  std::shared_ptr<const GlobalName> global = nullptr;  // kGlobal
  std::shared_ptr<const Operand> pointer = nullptr;    // kLoad32; abi::MOST_LOADS in a row at most
};

struct CallStep {
  std::string function;  // exported name
  std::vector<Operand> args;
  bool go_on_after_trap = false;
  std::string instance;  // of linked modules, whose export; empty: the last one's
};
// Memory 0 of linked modules is the last one's.
struct WriteStep {  // the instance's bytes of `column` to memory 0 at `pointer`
  Operand pointer;
  uint32_t column = 0;  // a bytes column
};
struct StoreStep {  // the four bytes of an i32 to memory 0 at `pointer`
  Operand pointer;
  Operand value;
};
enum class TextEncoding : uint8_t { kNone, kUtf8, kUtf16 };
struct ReadStep {  // memory 0 at [pointer, pointer + length) to the named output
  Operand pointer;
  Operand length;
  std::string output;
  bool until_zero = false;  // the bytes end before the first zero; `length` is the most there are
  TextEncoding text = TextEncoding::kNone;  // for whoever shows the output
};
using Step = std::variant<CallStep, WriteStep, ReadStep, StoreStep>;

// Where a step's results lie in the record's registers.
struct StepLayout {
  std::vector<ValueType> results;  // calls: the function's results; reads: output offset, length
  uint32_t results_at = 0;         // first register word; results follow one another
  uint32_t trap_at = abi::NONE;    // register words {trap, function, offset}, if it goes on
};

// What a job's column holds: one value or one byte string per instance.
struct ColumnType {
  bool bytes = false;
  ValueType type = ValueType::kI32;
};

struct EncodedProgram {
  std::vector<uint32_t> words;
  std::vector<StepLayout> steps;
  std::vector<uint32_t> column_at;  // first column word of each column (bytes: {offset, length})
  uint32_t column_words = 0;
  uint32_t register_words = 0;
  // The module has primitives: there is a row of inputs behind the steps, and the output comes in
  // frames (FRAME_* in lane.def).
  bool asks = false;
  bool writes = false;  // and some of them append to the output
};

}  // namespace wb
