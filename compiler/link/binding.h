#pragma once

// What a job binds an import to that no module gives.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/wasm/module.h"

namespace wb {

struct BoundValue {
  ValueType type = ValueType::kI32;  // a number
  uint64_t bits = 0;
  bool operator==(const BoundValue&) const = default;
};

// Results by arguments. Floats are compared by their bits.
struct LookupTable {
  FunctionType type;            // numbers only
  std::vector<uint64_t> cells;  // row by row: arguments, then results
  size_t columns() const { return type.params.size() + type.results.size(); }
  size_t rows() const { return columns() == 0 ? 0 : cells.size() / columns(); }
  bool operator==(const LookupTable&) const = default;
};
inline constexpr size_t kMostLookupRows = 65'536;
inline constexpr size_t kMostLookupBytes = size_t{4} << 20;  // of the rows as they lie in memory

// Bytes of memory 0 that go with a host call, from where an argument says.
struct CallBytes {
  enum class Length : uint8_t { kArgument, kConstant, kUntilZero };
  uint32_t pointer = 0;  // index of an argument, an i32
  Length how = Length::kConstant;
  uint32_t length = 0;  // kArgument: index of an argument, an i32; kConstant: bytes
  bool operator==(const CallBytes&) const = default;
};
inline constexpr size_t kMostCallBytes = 8;  // of one import
inline constexpr size_t kMostHostParams = 32;
inline constexpr size_t kMostHostResults = 16;

struct Binding {
  enum class Way : uint8_t {
    kConstant,  // a function returns the values; a global has the one value
    kTrap,      // a call traps
    kIgnore,    // a call does nothing; its results are zero
    kRecord,    // a call's arguments are kept in the output; its results are the values, or zero
    kLookup,  // a call's results are looked up; they are the values, or it traps, where no row fits
    kHost,    // a call is answered by the job's caller
  };
  // MODULE.NAME as errors list it. A * at the end stands for any rest, and the binding then is for
  // the imports that no other names whole, and that an earlier one does not match.
  std::string import;
  Way way = Way::kTrap;
  std::vector<BoundValue> values;
  std::vector<CallBytes> bytes;  // kHost
  LookupTable table;             // kLookup
  bool operator==(const Binding&) const = default;
};

// A function whose calls the job's caller answers, under the number of its place among them.
struct HostImport {
  std::string name;  // MODULE.NAME
  FunctionType type;
  std::vector<CallBytes> bytes;
  bool has_memory = false;  // memory 0 is that of the module that imports it
};

// A function whose calls are recorded, under the number of its place among them. A record is one
// value of 64 bits with that number, then one for each argument (two of a v128, the lower half
// first), narrower ones zero-extended. Records of an instance follow one another in this stream.
struct RecordedImport {
  std::string name;  // MODULE.NAME
  std::vector<ValueType> params;
};
inline constexpr uint32_t kRecordStream = 254;

}  // namespace wb
