#pragma once

// A core file as values: the state of an instance as the tool conventions of WebAssembly have it
// (Coredump.md): a module whose custom sections `core`, `coremodules`, `coreinstances` and
// `corestack` tell of the process, its modules and its frames, with memories, globals and data
// segments beside them. One more section, `wasmburst`, holds what the format has no place for.
// Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/wasm/opcode.h"

namespace wb {

struct CoreValue {
  ValueType type = ValueType::kVoid;  // kVoid: the value is missing; v128 and references always are
  uint64_t bits = 0;                  // those of 32 bits zero-extended
  bool operator==(const CoreValue&) const = default;
};

struct CoreFrame {
  uint32_t instance = 0;          // of CoreDump::instances
  uint32_t function = 0;          // as that one's module counts them
  uint32_t offset = 0;            // of the instruction, in bytes from the function's body
  std::vector<CoreValue> locals;  // parameters first
  std::vector<CoreValue> stack;   // operands, the lowest first
  bool operator==(const CoreFrame&) const = default;
};

struct CoreInstance {
  uint32_t module = 0;  // of CoreDump::modules
  std::vector<uint32_t> memories;
  std::vector<uint32_t> globals;
  bool operator==(const CoreInstance&) const = default;
};

struct CoreChunk {
  uint32_t memory = 0;
  uint32_t at = 0;
  Bytes bytes;
  bool operator==(const CoreChunk&) const = default;
};

struct CoreGlobal {
  ValueType type = ValueType::kI32;
  uint64_t low = 0;   // bits; of a reference nothing is kept
  uint64_t high = 0;  // of a v128
  bool operator==(const CoreGlobal&) const = default;
};

struct CoreDump {
  std::string process;
  std::vector<std::string> modules;  // names
  std::vector<CoreInstance> instances;
  std::string thread;
  std::vector<CoreFrame> frames;   // innermost first
  std::vector<uint32_t> memories;  // pages
  std::vector<CoreGlobal> globals;
  std::vector<CoreChunk> chunks;  // what is not zero
  std::string facts;              // the section `wasmburst`: JSON; empty: there is none
  bool operator==(const CoreDump&) const = default;
};

Bytes WriteCore(const CoreDump& core);

// Of a file that anybody may have made. What it names is there, chunks lie inside their memories,
// and it takes memory in proportion to the file. Sections that are not of a core file are passed
// over. WASM_MALFORMED says what is wrong and where ("offset").
Result<CoreDump> ReadCore(ByteView file);

}  // namespace wb
