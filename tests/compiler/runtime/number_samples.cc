#include "tests/compiler/runtime/number_samples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace wb {
namespace {

std::vector<uint64_t> IntegerCorners(int bits) {
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  std::vector<uint64_t> corners;
  for (int i = 0; i < bits; i += (i < 9 || i > bits - 3 ? 1 : 4)) {
    const uint64_t power = uint64_t{1} << i;
    for (uint64_t value : {power - 1, power, power + 1, -power, ~power}) {
      corners.push_back(value & mask);
    }
  }
  return corners;
}

template <typename F>
std::vector<uint64_t> FloatCorners() {
  using U = std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>;
  const int mantissa = std::numeric_limits<F>::digits - 1;
  const U infinity = std::bit_cast<U>(std::numeric_limits<F>::infinity());
  std::vector<U> positive = {0,
                             1,
                             2,
                             (U{1} << mantissa) - 1,
                             U{1} << mantissa,
                             infinity - 1,
                             infinity,
                             infinity | 1,
                             infinity | U{1} << (mantissa - 1),
                             static_cast<U>(infinity | ((U{1} << mantissa) - 1))};
  std::vector<F> values = {F(0.1), F(0.25), F(0.75), F(1), F(1.5), F(2.5), F(3.5), F(4.5), F(1e10)};
  for (int power : {-1, 0, 7, 15, 22, 23, 24, 31, 32, 52, 53, 63, 64}) {
    for (F delta : {F(0), F(0.5), F(-0.5), F(1), F(-1), F(0.9)}) {
      values.push_back(std::ldexp(F(1), power) + delta);
    }
  }
  for (F value : values) {
    for (F near : {value, std::nextafter(value, F(0)), std::nextafter(value, F(1e30))}) {
      positive.push_back(std::bit_cast<U>(std::fabs(near)));
    }
  }
  std::vector<uint64_t> corners;
  for (U bits : positive) {
    corners.push_back(bits);
    corners.push_back(bits | U{1} << (sizeof(U) * 8 - 1));
  }
  return corners;
}

std::vector<uint64_t> AllCorners(ValueType type) {
  switch (type) {
    case ValueType::kI32: return IntegerCorners(32);
    case ValueType::kI64: return IntegerCorners(64);
    case ValueType::kF32: return FloatCorners<float>();
    case ValueType::kF64: return FloatCorners<double>();
    default: return {0};
  }
}

}  // namespace

std::vector<uint64_t> CornerBits(ValueType type) {
  std::vector<uint64_t> corners = AllCorners(type);
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

uint64_t RandomBits(ValueType type, std::mt19937_64& random) {
  const bool narrow = type == ValueType::kI32 || type == ValueType::kF32;
  const uint64_t mask = narrow ? 0xffffffffu : ~uint64_t{0};
  uint64_t bits = random();
  if (random() % 2 == 0) return bits & mask;
  if (type == ValueType::kI32 || type == ValueType::kI64) return (bits >> random() % 64) & mask;
  // Exponents around that of 1.0, so that sums interact and conversions are in range.
  if (narrow) return (bits & 0x807fffffu) | (0x3f800000u + (random() % 80 - 8) * 0x800000u);
  return (bits & 0x800fffffffffffffu) |
         (0x3ff0000000000000u + (random() % 80 - 8) * 0x10000000000000u);
}

}  // namespace wb
