#include "tests/compiler/floats/operands.h"

#include "tests/compiler/runtime/number_samples.h"

namespace wb {

struct Operands::Format {
  int fraction_bits;
  int64_t max_exponent;  // the field of infinities and NaNs
  int64_t bias;
  uint64_t sign;
  uint64_t fraction() const { return (uint64_t{1} << fraction_bits) - 1; }
};

const Operands::Format& Operands::FormatOf(ValueType type) {
  static constexpr Format kF32 = {23, 255, 127, uint64_t{1} << 31};
  static constexpr Format kF64 = {52, 2047, 1023, uint64_t{1} << 63};
  return type == ValueType::kF32 ? kF32 : kF64;
}

Operands::Operands(ValueType a, ValueType b, uint64_t seed)
    : a_(a), b_(b), corners_a_(CornerBits(a)), corners_b_(CornerBits(b)) {
  state_ = seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
}

uint64_t Operands::Random() {  // splitmix64
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Noise; a few bits at the top (ties); all ones or all zeros down to a place; noise at the bottom.
uint64_t Operands::Significand(const Format& format) {
  const uint64_t bits = Random() & format.fraction();
  const uint64_t place = Below(static_cast<uint64_t>(format.fraction_bits) + 1);
  const uint64_t low = (uint64_t{1} << place) - 1;
  switch (Below(6)) {
    case 0: return bits & ~low;
    case 1: return (bits | ~low) & format.fraction();
    case 2: return bits & low;
    case 3: return ((bits & ~low) | low >> 1) & format.fraction();
    default: return bits;
  }
}

// An exponent outside the type's range becomes its end.
uint64_t Operands::Compose(const Format& format, int64_t exponent, uint64_t significand) {
  if (exponent < 0) exponent = 0;
  if (exponent > format.max_exponent) exponent = format.max_exponent;
  const uint64_t sign = (Random() & 1) != 0 ? format.sign : 0;
  return sign | static_cast<uint64_t>(exponent) << format.fraction_bits | significand;
}

uint64_t Operands::NearSquare(const Format& format) {
  const uint64_t root = Random() >> (64 - (format.fraction_bits + 3) / 2);
  uint64_t square = root * root;
  while (square > format.fraction()) square >>= 1;
  return Compose(format, static_cast<int64_t>(Below(format.max_exponent)),
                 (square + Below(3) - 1) & format.fraction());
}

uint64_t Operands::Float(const Format& format) {
  const auto any = static_cast<int64_t>(Below(format.max_exponent + 1));
  switch (Below(8)) {
    case 0: return Compose(format, static_cast<int64_t>(Below(3)), Significand(format));
    case 1:
      return Compose(format, format.max_exponent - static_cast<int64_t>(Below(4)),
                     Significand(format));
    case 2:  // around 1, and around the ends of the integer types
      return Compose(format, format.bias - 4 + static_cast<int64_t>(Below(72)),
                     Significand(format));
    case 3: return NearSquare(format);
    default: return Compose(format, any, Significand(format));
  }
}

uint64_t Operands::Partner(const Format& format, uint64_t a) {
  const auto e = static_cast<int64_t>((a & ~format.sign) >> format.fraction_bits);
  const int64_t near = static_cast<int64_t>(Below(7)) - 3;
  const int64_t width = format.fraction_bits + 6;
  const int64_t around = static_cast<int64_t>(Below(2 * width)) - width;
  switch (Below(8)) {
    case 0: return Compose(format, e + near, Significand(format));
    case 1: return Compose(format, e + around, Significand(format));
    case 2: return a ^ format.sign ^ Below(8);                                      // cancels
    case 3: return Compose(format, format.bias - e + around, Significand(format));  // tiny product
    case 4: return Compose(format, e + format.bias + around, Significand(format));  // tiny quotient
    case 5:
      return Compose(format, 3 * format.bias - e + near, Significand(format));    // huge product
    case 6: return Compose(format, e - format.bias + near, Significand(format));  // huge quotient
    default: return Float(format);
  }
}

// Noise of every width; and numbers that end in a tie, or beside one, where they become floats.
uint64_t Operands::Integer(ValueType type) {
  const int width = type == ValueType::kI32 ? 32 : 64;
  const uint64_t mask = width == 64 ? ~uint64_t{0} : 0xffffffffu;
  uint64_t value = Random() >> (64 - width) >> Below(static_cast<uint64_t>(width));
  if (Below(2) == 0) {
    const uint64_t half = uint64_t{1} << Below(static_cast<uint64_t>(width) - 1);
    value = (value & ~(2 * half - 1)) | (half + Below(3) - 1);
  }
  return (Below(2) == 0 ? value : 0 - value) & mask;
}

uint64_t Operands::One(ValueType type, const std::vector<uint64_t>& corners) {
  if (Below(16) == 0) return corners[Below(corners.size())];
  if (IsFloat(type)) return Float(FormatOf(type));
  return Integer(type);
}

Operands::Pair Operands::Next() {
  Pair pair;
  pair.a = One(a_, corners_a_);
  if (b_ == ValueType::kVoid) return pair;
  const bool related = IsFloat(b_) && Below(4) != 0;
  pair.b = related ? Partner(FormatOf(b_), pair.a) : One(b_, corners_b_);
  if (IsFloat(b_) && Below(16) == 0) pair.b = corners_b_[Below(corners_b_.size())];
  return pair;
}

}  // namespace wb
