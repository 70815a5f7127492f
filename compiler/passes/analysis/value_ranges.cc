#include "compiler/passes/analysis/value_ranges.h"

#include <algorithm>

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

constexpr ValueRange kAny;

// Where both ends pass 2^32 equally often, they wrap round together.
ValueRange Wrapped(uint64_t least, uint64_t most) {
  if (least >> 32 != most >> 32) return kAny;
  return {static_cast<uint32_t>(least), static_cast<uint32_t>(most)};
}

ValueRange Sum(const ValueRange& a, const ValueRange& b) {
  return Wrapped(uint64_t{a.least} + b.least, uint64_t{a.most} + b.most);
}

ValueRange Difference(const ValueRange& a, const ValueRange& b) {
  constexpr uint64_t kOnce = uint64_t{1} << 32;
  return Wrapped(kOnce + a.least - b.most, kOnce + a.most - b.least);
}

ValueRange Product(const ValueRange& a, const ValueRange& b) {
  return Wrapped(uint64_t{a.least} * b.least, uint64_t{a.most} * b.most);
}

// Shifts go by the lowest five bits of a count.
ValueRange ShiftLeft(const ValueRange& a, const ValueRange& by) {
  if (by.least != by.most) return kAny;
  const uint32_t n = by.least & 31u;
  return Wrapped(uint64_t{a.least} << n, uint64_t{a.most} << n);
}

ValueRange ShiftRight(const ValueRange& a, const ValueRange& by) {
  if (by.least != by.most) return {0, a.most};
  const uint32_t n = by.least & 31u;
  return {a.least >> n, a.most >> n};
}

ValueRange Remainder(const ValueRange& a, const ValueRange& by) {
  return by.least == 0 ? ValueRange{0, a.most} : ValueRange{0, std::min(a.most, by.most - 1)};
}

ValueRange Hull(const ValueRange& a, const ValueRange& b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

}  // namespace

ValueRanges::ValueRanges(const ir::Function& function, const std::vector<KnownBits>& facts)
    : function_(function), facts_(facts), rows_(function.vars.size(), kNoRow) {
  std::vector<bool> defined(function.vars.size(), false);
  // Locals begin as arguments or 0.
  std::fill_n(defined.begin(), function.num_locals, true);
  const auto define = [&](Var var, uint32_t row) {
    rows_[var] = defined[var] ? kNoRow : row;
    defined[var] = true;
  };
  for (uint32_t row = 0; row < function.insts.size(); ++row) {
    const Inst& inst = function.insts[row];
    if (inst.op == Op::kCall) {
      for (const Var result : function.calls[inst.imm].results) define(result, kNoRow);
    } else if (inst.dst != ir::kNoVar) {
      define(inst.dst, row);
    }
  }
}

ValueRange ValueRanges::Of(Var var, uint32_t depth) const {
  const KnownBits& bits = facts_[var];
  if (!bits.has_value()) return kAny;
  const ValueRange known = {bits.least(), bits.most()};
  if (depth == 0 || rows_[var] == kNoRow) return known;
  const ValueRange found = OfRow(function_.insts[rows_[var]], depth - 1);
  const ValueRange both = {std::max(known.least, found.least), std::min(known.most, found.most)};
  return both.least <= both.most ? both : known;
}

ValueRange ValueRanges::OfRow(const Inst& inst, uint32_t depth) const {
  switch (inst.op) {
    case Op::kCopy: return Of(inst.a, depth);
    case Op::kSelect: return Hull(Of(inst.a, depth), Of(inst.b, depth));
    case Op::kNumeric: return inst.b == ir::kNoVar ? kAny : OfNumeric(inst, depth);
    default: return kAny;
  }
}

ValueRange ValueRanges::OfNumeric(const Inst& inst, uint32_t depth) const {
  const auto a = [&] { return Of(inst.a, depth); };
  const auto b = [&] { return Of(inst.b, depth); };
  switch (inst.opcode) {
    case Opcode::kI32Add: return Sum(a(), b());
    case Opcode::kI32Sub: return Difference(a(), b());
    case Opcode::kI32Mul: return Product(a(), b());
    case Opcode::kI32Shl: return ShiftLeft(a(), b());
    case Opcode::kI32ShrU: return ShiftRight(a(), b());
    case Opcode::kI32RemU: return Remainder(a(), b());
    case Opcode::kI32And: return {0, std::min(a().most, b().most)};
    default: return kAny;
  }
}

}  // namespace wb
