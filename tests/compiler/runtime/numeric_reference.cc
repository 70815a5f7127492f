#include "tests/compiler/runtime/numeric_reference.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "compiler/base/check.h"

namespace wb {
namespace {

template <typename F>
using BitsOf = std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>;

template <typename T>
T From(uint64_t bits) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
  } else {
    return static_cast<T>(bits);
  }
}

NumericOutcome Integer32(uint64_t value) { return {Trap::kNone, static_cast<uint32_t>(value)}; }
NumericOutcome Integer64(uint64_t value) { return {Trap::kNone, value}; }
NumericOutcome Truth(bool value) { return {Trap::kNone, value ? 1u : 0u}; }
template <typename F>
NumericOutcome Float(F value) {
  return {Trap::kNone, std::bit_cast<BitsOf<F>>(value), false};
}

template <typename U>
NumericOutcome Bits(U value) {
  return sizeof(U) == 4 ? Integer32(value) : Integer64(value);
}

// Both division and remainder, in twice the width.
template <typename S>
NumericOutcome Divide(uint64_t a, uint64_t b, bool remainder) {
  using U = std::make_unsigned_t<S>;
  __extension__ typedef __int128 Wide;
  Wide x = From<S>(a), y = From<S>(b);
  if (y == 0) return {Trap::kDivideByZero, 0};
  Wide result = remainder ? x % y : x / y;
  if (result > static_cast<Wide>(std::numeric_limits<S>::max())) {
    return {Trap::kIntegerOverflow, 0};
  }
  return Bits(static_cast<U>(result));
}

template <typename U>
U Rotate(U value, uint64_t count, bool left) {
  constexpr unsigned kBits = sizeof(U) * 8;
  for (unsigned i = 0; i < count % kBits; ++i) {
    value = left ? static_cast<U>(value << 1 | value >> (kBits - 1))
                 : static_cast<U>(value >> 1 | value << (kBits - 1));
  }
  return value;
}

template <typename U>
U Count(U value, char what) {
  constexpr int kBits = sizeof(U) * 8;
  int ones = 0, first = kBits, last = -1;
  for (int i = 0; i < kBits; ++i) {
    if ((value >> i & 1) == 0) continue;
    ++ones;
    if (first == kBits) first = i;
    last = i;
  }
  if (what == '1') return static_cast<U>(ones);
  return static_cast<U>(what == 't' ? first : kBits - 1 - last);
}

template <typename S>
S ShiftRight(S value, uint64_t count) {
  for (uint64_t i = 0; i < count % (sizeof(S) * 8); ++i) {
    value = static_cast<S>((value - (value & 1)) / 2);  // floor
  }
  return value;
}

template <typename F>
F Smaller(F a, F b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<F>::quiet_NaN();
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <typename F>
F Larger(F a, F b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<F>::quiet_NaN();
  if (a == 0 && b == 0) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

// Signs as bits: NaNs keep the rest of theirs.
template <typename F>
NumericOutcome WithSign(F value, bool negative) {
  using U = BitsOf<F>;
  constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
  U bits = std::bit_cast<U>(value);
  return {Trap::kNone, negative ? bits | kSign : bits & ~kSign};
}
template <typename F>
bool Negative(F value) {
  return (std::bit_cast<BitsOf<F>>(value) >> (sizeof(F) * 8 - 1)) != 0;
}

// Truncation to I; outside its range a trap, or the nearest value if `saturate`.
template <typename F, typename I>
NumericOutcome Truncate(uint64_t bits, bool saturate) {
  F value = From<F>(bits);
  if (std::isnan(value))
    return saturate ? NumericOutcome{} : NumericOutcome{Trap::kInvalidConversion};
  constexpr int kBits = sizeof(I) * 8 - (std::is_signed_v<I> ? 1 : 0);
  const F whole = std::trunc(value);
  const F above = std::ldexp(F{1}, kBits);
  const F lowest = std::is_signed_v<I> ? -above : F{0};
  using U = std::make_unsigned_t<I>;
  if (whole >= above || whole < lowest) {
    if (!saturate) return {Trap::kIntegerOverflow, 0};
    return Bits(
        static_cast<U>(value > 0 ? std::numeric_limits<I>::max() : std::numeric_limits<I>::min()));
  }
  return Bits(static_cast<U>(static_cast<I>(whole)));
}

// An integer to a float: exact in long double or rounded once on the way to F.
template <typename F, typename I>
NumericOutcome Convert(uint64_t bits) {
  if constexpr (std::numeric_limits<long double>::digits >= 64) {
    return Float(static_cast<F>(static_cast<long double>(From<I>(bits))));
  } else {
    return Float(static_cast<F>(From<I>(bits)));
  }
}

template <typename S>
NumericOutcome Extend(uint64_t a, int result_bytes) {
  int64_t value = static_cast<S>(a);
  return result_bytes == 4 ? Integer32(static_cast<uint64_t>(value))
                           : Integer64(static_cast<uint64_t>(value));
}

}  // namespace

NumericOutcome NumericReference(Opcode opcode, uint64_t a, uint64_t b) {
  switch (opcode) {
// Integer operators come for both widths: U and S are the width's types.
#define INTEGER_CASES(I, U, S)                                                             \
  case Opcode::k##I##Eqz: return Truth(From<U>(a) == 0);                                   \
  case Opcode::k##I##Eq: return Truth(From<U>(a) == From<U>(b));                           \
  case Opcode::k##I##Ne: return Truth(From<U>(a) != From<U>(b));                           \
  case Opcode::k##I##LtS: return Truth(From<S>(a) < From<S>(b));                           \
  case Opcode::k##I##LtU: return Truth(From<U>(a) < From<U>(b));                           \
  case Opcode::k##I##GtS: return Truth(From<S>(a) > From<S>(b));                           \
  case Opcode::k##I##GtU: return Truth(From<U>(a) > From<U>(b));                           \
  case Opcode::k##I##LeS: return Truth(From<S>(a) <= From<S>(b));                          \
  case Opcode::k##I##LeU: return Truth(From<U>(a) <= From<U>(b));                          \
  case Opcode::k##I##GeS: return Truth(From<S>(a) >= From<S>(b));                          \
  case Opcode::k##I##GeU: return Truth(From<U>(a) >= From<U>(b));                          \
  case Opcode::k##I##Clz: return Bits(Count(From<U>(a), 'l'));                             \
  case Opcode::k##I##Ctz: return Bits(Count(From<U>(a), 't'));                             \
  case Opcode::k##I##Popcnt: return Bits(Count(From<U>(a), '1'));                          \
  case Opcode::k##I##Add: return Bits(static_cast<U>(a + b));                              \
  case Opcode::k##I##Sub: return Bits(static_cast<U>(a - b));                              \
  case Opcode::k##I##Mul: return Bits(static_cast<U>(a * b));                              \
  case Opcode::k##I##DivS: return Divide<S>(a, b, false);                                  \
  case Opcode::k##I##DivU: return Divide<U>(a, b, false);                                  \
  case Opcode::k##I##RemS: return Divide<S>(a, b, true);                                   \
  case Opcode::k##I##RemU: return Divide<U>(a, b, true);                                   \
  case Opcode::k##I##And: return Bits(static_cast<U>(a & b));                              \
  case Opcode::k##I##Or: return Bits(static_cast<U>(a | b));                               \
  case Opcode::k##I##Xor: return Bits(static_cast<U>(a ^ b));                              \
  case Opcode::k##I##Shl: return Bits(static_cast<U>(a << b % (sizeof(U) * 8)));           \
  case Opcode::k##I##ShrS: return Bits(static_cast<U>(ShiftRight(From<S>(a), b)));         \
  case Opcode::k##I##ShrU: return Bits(static_cast<U>(From<U>(a) >> b % (sizeof(U) * 8))); \
  case Opcode::k##I##Rotl: return Bits(Rotate(From<U>(a), b, true));                       \
  case Opcode::k##I##Rotr: return Bits(Rotate(From<U>(a), b, false));                      \
  case Opcode::k##I##Extend8S: return Extend<int8_t>(a, sizeof(U));                        \
  case Opcode::k##I##Extend16S: return Extend<int16_t>(a, sizeof(U));                      \
  case Opcode::k##I##TruncF32S: return Truncate<float, S>(a, false);                       \
  case Opcode::k##I##TruncF32U: return Truncate<float, U>(a, false);                       \
  case Opcode::k##I##TruncF64S: return Truncate<double, S>(a, false);                      \
  case Opcode::k##I##TruncF64U: return Truncate<double, U>(a, false);                      \
  case Opcode::k##I##TruncSatF32S: return Truncate<float, S>(a, true);                     \
  case Opcode::k##I##TruncSatF32U: return Truncate<float, U>(a, true);                     \
  case Opcode::k##I##TruncSatF64S: return Truncate<double, S>(a, true);                    \
  case Opcode::k##I##TruncSatF64U: return Truncate<double, U>(a, true);
    INTEGER_CASES(I32, uint32_t, int32_t)
    INTEGER_CASES(I64, uint64_t, int64_t)
#undef INTEGER_CASES

#define FLOAT_CASES(N, F)                                                         \
  case Opcode::k##N##Eq: return Truth(From<F>(a) == From<F>(b));                  \
  case Opcode::k##N##Ne: return Truth(!(From<F>(a) == From<F>(b)));               \
  case Opcode::k##N##Lt: return Truth(From<F>(a) < From<F>(b));                   \
  case Opcode::k##N##Gt: return Truth(From<F>(b) < From<F>(a));                   \
  case Opcode::k##N##Le: return Truth(From<F>(a) <= From<F>(b));                  \
  case Opcode::k##N##Ge: return Truth(From<F>(b) <= From<F>(a));                  \
  case Opcode::k##N##Abs: return WithSign(From<F>(a), false);                     \
  case Opcode::k##N##Neg: return WithSign(From<F>(a), !Negative(From<F>(a)));     \
  case Opcode::k##N##Copysign: return WithSign(From<F>(a), Negative(From<F>(b))); \
  case Opcode::k##N##Ceil: return Float(std::ceil(From<F>(a)));                   \
  case Opcode::k##N##Floor: return Float(std::floor(From<F>(a)));                 \
  case Opcode::k##N##Trunc: return Float(std::trunc(From<F>(a)));                 \
  case Opcode::k##N##Nearest: return Float(std::nearbyint(From<F>(a)));           \
  case Opcode::k##N##Sqrt: return Float(std::sqrt(From<F>(a)));                   \
  case Opcode::k##N##Add: return Float(From<F>(a) + From<F>(b));                  \
  case Opcode::k##N##Sub: return Float(From<F>(a) - From<F>(b));                  \
  case Opcode::k##N##Mul: return Float(From<F>(a) * From<F>(b));                  \
  case Opcode::k##N##Div: return Float(From<F>(a) / From<F>(b));                  \
  case Opcode::k##N##Min: return Float(Smaller(From<F>(a), From<F>(b)));          \
  case Opcode::k##N##Max: return Float(Larger(From<F>(a), From<F>(b)));           \
  case Opcode::k##N##ConvertI32S: return Convert<F, int32_t>(a);                  \
  case Opcode::k##N##ConvertI32U: return Convert<F, uint32_t>(a);                 \
  case Opcode::k##N##ConvertI64S: return Convert<F, int64_t>(a);                  \
  case Opcode::k##N##ConvertI64U: return Convert<F, uint64_t>(a);
    FLOAT_CASES(F32, float)
    FLOAT_CASES(F64, double)
#undef FLOAT_CASES

    case Opcode::kI32WrapI64: return Integer32(a);
    case Opcode::kI64ExtendI32S: return Extend<int32_t>(a, 8);
    case Opcode::kI64ExtendI32U: return Integer64(static_cast<uint32_t>(a));
    case Opcode::kI64Extend32S: return Extend<int32_t>(a, 8);
    case Opcode::kF32DemoteF64: return Float(static_cast<float>(From<double>(a)));
    case Opcode::kF64PromoteF32: return Float(static_cast<double>(From<float>(a)));
    case Opcode::kI32ReinterpretF32:
    case Opcode::kF32ReinterpretI32: return Integer32(a);
    case Opcode::kI64ReinterpretF64:
    case Opcode::kF64ReinterpretI64: return Integer64(a);
    default: break;
  }
  WB_CHECK(!"a numeric operator");
  return {};
}

}  // namespace wb
