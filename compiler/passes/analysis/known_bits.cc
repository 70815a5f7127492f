#include "compiler/passes/analysis/known_bits.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace wb {
namespace {

uint32_t LowMask(uint32_t bits) { return bits >= 32 ? ~0u : (1u << bits) - 1u; }

// a + b + carry: the largest and the smallest sum tell the carries into each place, as far as these
// are the same in both.
KnownBits Sum(const KnownBits& a, const KnownBits& b, uint32_t carry) {
  const uint32_t most = a.most() + b.most() + carry;
  const uint32_t least = a.least() + b.least() + carry;
  const uint32_t no_carry = ~(most ^ a.zeros ^ b.zeros);
  const uint32_t carries = least ^ a.ones ^ b.ones;
  const uint32_t known = (a.zeros | a.ones) & (b.zeros | b.ones) & (no_carry | carries);
  return {~most & known, least & known};
}

KnownBits Not(const KnownBits& a) { return {a.ones, a.zeros}; }

// A product's low bits follow from its factors' low bits, and more of them where those end in
// zeros.
KnownBits Product(const KnownBits& a, const KnownBits& b) {
  const uint32_t known =
      std::min({a.known_low_bits() + b.low_zeros(), b.known_low_bits() + a.low_zeros(), 32u});
  const uint32_t value = a.ones * b.ones;
  KnownBits result{~value & LowMask(known), value & LowMask(known)};
  const uint64_t most = uint64_t{a.most()} * b.most();
  if (most <= ~0u) result.zeros |= KnownBits::AtMost(static_cast<uint32_t>(most)).zeros;
  return result;
}

KnownBits ShiftLeft(const KnownBits& a, const KnownBits& by) {
  if (by.known_low_bits() < 5) return {LowMask(a.low_zeros()), 0};
  const uint32_t n = by.ones & 31u;
  return {(a.zeros << n) | LowMask(n), a.ones << n};
}

KnownBits ShiftRight(const KnownBits& a, const KnownBits& by) {
  if (by.known_low_bits() < 5) return KnownBits::AtMost(a.most());
  const uint32_t n = by.ones & 31u;
  return {(a.zeros >> n) | ~(~0u >> n), a.ones >> n};
}

KnownBits ShiftRightSigned(const KnownBits& a, const KnownBits& by) {
  if (by.known_low_bits() < 5) return KnownBits::Nothing();
  const uint32_t n = by.ones & 31u;
  const auto shifted = [n](uint32_t bits) {
    const uint32_t sign = (bits >> 31) != 0 ? ~(~0u >> n) : 0u;
    return (bits >> n) | sign;
  };
  return {shifted(a.zeros), shifted(a.ones)};
}

KnownBits RotateLeft(const KnownBits& a, const KnownBits& by) {
  if (by.known_low_bits() < 5) return KnownBits::Nothing();
  const int n = static_cast<int>(by.ones & 31u);
  return {std::rotl(a.zeros, n), std::rotl(a.ones, n)};
}

// In the order without signs of what i32.lt_s and its like compare.
KnownBits WithoutSigns(const KnownBits& bits) {
  constexpr uint32_t kSign = 0x80000000u;
  return {(bits.zeros & ~kSign) | (bits.ones & kSign), (bits.ones & ~kSign) | (bits.zeros & kSign)};
}

std::optional<bool> Differ(const KnownBits& a, const KnownBits& b) {
  if (((a.zeros & b.ones) | (a.ones & b.zeros)) != 0) return true;
  return a.is_constant() && b.is_constant() ? std::optional(false) : std::nullopt;
}
std::optional<bool> IsLess(const KnownBits& a, const KnownBits& b) {
  if (a.most() < b.least()) return true;
  return a.least() >= b.most() ? std::optional(false) : std::nullopt;
}

KnownBits Truth(std::optional<bool> value) {
  return value ? KnownBits::Of(*value ? 1 : 0) : KnownBits::AtMost(1);
}
KnownBits Opposite(std::optional<bool> value) {
  return value ? Truth(!*value) : KnownBits::AtMost(1);
}

}  // namespace

KnownBits KnownBits::AtMost(uint32_t value) {
  return {value == 0 ? ~0u : ~(~0u >> std::countl_zero(value)), 0};
}

uint32_t KnownBits::known_low_bits() const {
  return static_cast<uint32_t>(std::countr_one(zeros | ones));
}

uint32_t KnownBits::low_zeros() const { return static_cast<uint32_t>(std::countr_one(zeros)); }

KnownBits Or(const KnownBits& a, const KnownBits& b) {
  return {a.zeros & b.zeros, a.ones & b.ones};
}

KnownBits ResultBits(Opcode opcode, const KnownBits& a, const KnownBits& b) {
  if (!a.has_value() || !b.has_value()) return KnownBits::NoValue();
  switch (opcode) {
    case Opcode::kI32Add: return Sum(a, b, 0);
    case Opcode::kI32Sub: return Sum(a, Not(b), 1);
    case Opcode::kI32Mul: return Product(a, b);
    case Opcode::kI32And: return {a.zeros | b.zeros, a.ones & b.ones};
    case Opcode::kI32Or: return {a.zeros & b.zeros, a.ones | b.ones};
    case Opcode::kI32Xor:
      return {(a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros)};
    case Opcode::kI32Shl: return ShiftLeft(a, b);
    case Opcode::kI32ShrU: return ShiftRight(a, b);
    case Opcode::kI32ShrS: return ShiftRightSigned(a, b);
    case Opcode::kI32Rotl: return RotateLeft(a, b);
    case Opcode::kI32Eqz: return Opposite(Differ(a, KnownBits::Of(0)));
    case Opcode::kI32Eq: return Opposite(Differ(a, b));
    case Opcode::kI32Ne: return Truth(Differ(a, b));
    case Opcode::kI32LtU: return Truth(IsLess(a, b));
    case Opcode::kI32GtU: return Truth(IsLess(b, a));
    case Opcode::kI32LeU: return Opposite(IsLess(b, a));
    case Opcode::kI32GeU: return Opposite(IsLess(a, b));
    case Opcode::kI32LtS: return Truth(IsLess(WithoutSigns(a), WithoutSigns(b)));
    case Opcode::kI32GtS: return Truth(IsLess(WithoutSigns(b), WithoutSigns(a)));
    case Opcode::kI32LeS: return Opposite(IsLess(WithoutSigns(b), WithoutSigns(a)));
    case Opcode::kI32GeS: return Opposite(IsLess(WithoutSigns(a), WithoutSigns(b)));
    case Opcode::kI32DivU: return KnownBits::AtMost(a.most());
    case Opcode::kI32RemU: return KnownBits::AtMost(std::min(a.most(), b.most()));
    case Opcode::kI32Clz:
    case Opcode::kI32Ctz:
    case Opcode::kI32Popcnt: return KnownBits::AtMost(32);
    case Opcode::kI32Load8U: return KnownBits::AtMost(0xff);
    case Opcode::kI32Load16U: return KnownBits::AtMost(0xffff);
    default: break;
  }
  const OpcodeFacts& facts = FactsOf(opcode);
  const bool tests = facts.klass == OpcodeClass::kNumeric &&
                     (facts.form == OpcodeForm::kCompare || opcode == Opcode::kI32Eqz ||
                      opcode == Opcode::kI64Eqz);
  return tests ? KnownBits::AtMost(1) : KnownBits::Nothing();
}

}  // namespace wb
