#pragma once

// Test only: valid modules made at random, whose functions branch in every way that wasm allows:
// nested blocks, loops and ifs with parameters and results, br, br_if, br_table and return at any
// depth, code behind them that never runs, values that wait on the operand stack across loops and
// calls, traps, memory (now and then two), bulk memory, globals; vectors; references, tables that
// change, and calls through them. Every loop gives up after a few rounds, but for a few that only
// fuel stops.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/wasm/opcode.h"
#include "tests/compiler/emit/random_choices.h"

namespace wb::test {

struct RandomModule {
  std::string wat;
  // Exported as "f0", "f1", ...: each takes (i32, i64, f32, f64). A vector comes as two i64, a
  // reference as whether it is null.
  std::vector<std::vector<ValueType>> results;
};

enum class Nans : uint8_t {
  // The engine makes them canonical where their bits are seen. Such modules may also have what
  // wabt's
  // interpreter does otherwise, or not at all: tail calls, relaxed vectors.
  kAsTheyCome,
  kCanonical,  // the module does so itself, behind each operator: other engines agree to the bit
};

enum class Calls : uint8_t {
  kDag,
  kRecursive,  // any function calls any, until the instance has made 16 calls
};

// The same seed gives the same text on every machine.
RandomModule MakeRandomModule(uint64_t seed, uint32_t functions, Nans nans = Nans::kAsTheyCome,
                              Calls calls = Calls::kDag);
// Of these choices, which are left as they were made.
RandomModule MakeRandomModule(Choices& choices, uint32_t functions, Nans nans, Calls calls);

}  // namespace wb::test
