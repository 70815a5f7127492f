#pragma once

// Test only: the table of integer corner cases. Every integer operator of opcode.def, and the wide
// products that compilers build from them, as wasm functions and by a reference of our own.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/wasm/opcode.h"
#include "tests/compiler/runtime/numeric_reference.h"

namespace wb::test {

// A row: text over the operands $A and $B, and what it should be.
struct IntegerRow {
  std::string name;
  std::string text;
  std::string guard;  // text of an i32: this pair traps; empty: none does
  ValueType type;     // of $A and $B
  ValueType result;
  std::function<NumericOutcome(uint64_t a, uint64_t b)> reference;
};
std::vector<IntegerRow> IntegerTable();

// Exported functions of (i32, i64, f32, f64) in a module with a memory and CornersSegment(type).
// They write for each corner of the row's type, as operand a, a digest of the row's values: 8 bytes
// at 8 * the corner's number. Over all corners as operand b ...
std::string PairsText(const IntegerRow& row);
uint64_t PairsDigest(const IntegerRow& row, uint64_t a);
// ... or over constants on either side, which an engine's compiler sees.
std::string ConstantsText(const IntegerRow& row);
uint64_t ConstantsDigest(const IntegerRow& row, uint64_t a);
std::string CornersSegment(ValueType type);

// An expression and how it must end: operands that trap, or are next to those that do, as constants
// and through memory, where no compiler sees them.
struct IntegerTrap {
  std::string name;
  std::string text;
  Trap trap;
};
std::vector<IntegerTrap> IntegerTraps();

}  // namespace wb::test
