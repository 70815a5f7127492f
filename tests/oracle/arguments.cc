#include "tests/oracle/arguments.h"

#include <iterator>

namespace wb::oracle {
namespace {

constexpr uint64_t kI32[] = {0,   1,     2,     3,          7,          31,         32,
                             255, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe};
constexpr uint64_t kI64[] = {0,
                             1,
                             2,
                             63,
                             64,
                             0x7fffffff,
                             0xffffffff,
                             0x7fffffffffffffff,
                             0x8000000000000000,
                             0xffffffffffffffff,
                             0x123456789abcdef0};
// Zeros, ones, halves, integers at the edge of i32 and i64, subnormals, the largest, infinities,
// canonical NaN.
constexpr uint64_t kF32[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000,
                             0x40200000, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x5f000000,
                             0xdf000000, 0x00000001, 0x007fffff, 0x00800000, 0x7f7fffff,
                             0x7f800000, 0xff800000, 0x7fc00000};
constexpr uint64_t kF64[] = {0,
                             0x8000000000000000,
                             0x3ff0000000000000,
                             0xbfe0000000000000,
                             0x3fb999999999999a,
                             0x41dfffffffc00000,
                             0x41e0000000000000,
                             0xc1e0000000200000,
                             0x43e0000000000000,
                             0xc3e0000000000000,
                             0x43f0000000000000,
                             0x0000000000000001,
                             0x000fffffffffffff,
                             0x36a0000000000000,
                             0x47efffffe0000000,
                             0x47effffff0000000,
                             0x7fefffffffffffff,
                             0x7ff0000000000000,
                             0xfff0000000000000,
                             0x7ff8000000000000};

template <size_t N>
uint64_t Pick(const uint64_t (&table)[N], uint64_t random) {
  return table[random % N];
}

// Exponents near one, so that sums and products are ordinary numbers.
uint64_t OrdinaryF32(uint64_t random) {
  return (random & 0x807fffff) | (120 + (random >> 32) % 16) << 23;
}
uint64_t OrdinaryF64(uint64_t random) {
  return (random & 0x800fffffffffffff) | (1016 + (random >> 52) % 16) << 52;
}

}  // namespace

// Marsaglia's xorshift64*.
uint64_t ArgumentSource::Random() {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return state_ * 0x2545f4914f6cdd1d;
}

uint64_t ArgumentSource::Bits(Type type) {
  const bool corner = Random() % 5 < 3;
  const uint64_t random = Random();
  switch (type) {
    case Type::kI32: return corner ? Pick(kI32, random) : random & 0xffffffff;
    case Type::kI64: return corner ? Pick(kI64, random) : random;
    case Type::kF32: return corner ? Pick(kF32, random) : OrdinaryF32(random);
    case Type::kF64: return corner ? Pick(kF64, random) : OrdinaryF64(random);
    case Type::kV128: return corner ? Pick(kI64, random) : random;
    case Type::kFuncRef: return 0;
    case Type::kExternRef: return random & 1;
  }
  return 0;
}

std::vector<Value> ArgumentSource::Take(const std::vector<Type>& params) {
  std::vector<Value> values;
  for (const Type type : params) {
    values.push_back({type, Bits(type)});
    if (type == Type::kV128) values.back().high = Bits(type);
  }
  return values;
}

}  // namespace wb::oracle
