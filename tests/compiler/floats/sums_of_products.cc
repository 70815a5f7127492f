#include "tests/compiler/floats/sums_of_products.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

#include "compiler/base/flush_subnormals.h"
#include "tests/compiler/floats/operands.h"

namespace wb {
namespace {

constexpr size_t kSumBatch = 4096;

float FloatOf(uint32_t bits) { return std::bit_cast<float>(bits); }

float Expected(ProductSum form, uint32_t a, uint32_t b, uint32_t c) {
  // Two roundings: the compiler is told not to contract.
  const float product = FloatOf(a) * FloatOf(b);
  switch (form) {
    case ProductSum::kMulAdd: return product + FloatOf(c);
    case ProductSum::kMulSub: return product - FloatOf(c);
    case ProductSum::kSubMul: return FloatOf(c) - product;
  }
  return 0;
}

class Triples {
 public:
  explicit Triples(uint64_t seed)
      : factors_(ValueType::kF32, ValueType::kF32, seed),
        others_(ValueType::kF32, ValueType::kVoid, seed + 1000),
        state_(seed) {}

  void Next(uint32_t& a, uint32_t& b, uint32_t& c) {
    const Operands::Pair pair = factors_.Next();
    a = static_cast<uint32_t>(pair.a);
    b = static_cast<uint32_t>(pair.b);
    c = static_cast<uint32_t>(others_.Next().a);
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const auto choice = static_cast<uint32_t>(state_ >> 33);
    const uint32_t product = std::bit_cast<uint32_t>(FloatOf(a) * FloatOf(b));
    // What cancels the product wholly or but for a few bits; a number that is far smaller.
    if (choice % 4 == 0) c = product ^ 0x80000000u ^ (choice >> 2) % 8;
    if (choice % 4 == 1) c = (c & 0x80ffffffu) | (product & 0x7f000000u);
    if (choice % 8 == 2) c = c & 0x80ffffffu;
  }

 private:
  Operands factors_;
  Operands others_;
  uint64_t state_;
};

}  // namespace

Agreement CheckProductSum(ProductSum form, uint64_t cases, uint64_t seed) {
  Triples triples(seed);
  Agreement agreement;
  std::vector<uint32_t> a(kSumBatch), b(kSumBatch), c(kSumBatch), results(kSumBatch);
  while (agreement.cases < cases) {
    for (size_t i = 0; i < kSumBatch; ++i) triples.Next(a[i], b[i], c[i]);
    {
      const FlushSubnormals flushing;
      RunProductSum(form, a.data(), b.data(), c.data(), results.data(), kSumBatch);
    }
    for (size_t i = 0; i < kSumBatch; ++i) {
      const float expected = Expected(form, a[i], b[i], c[i]);
      const bool same_nan = std::isnan(expected) && std::isnan(FloatOf(results[i]));
      if (results[i] == std::bit_cast<uint32_t>(expected) || same_nan) continue;
      if (agreement.differences++ != 0) continue;
      char text[120];
      std::snprintf(text, sizeof text, "0x%x * 0x%x with 0x%x = 0x%x; hardware: 0x%x", a[i], b[i],
                    c[i], results[i], std::bit_cast<uint32_t>(expected));
      agreement.first = text;
    }
    agreement.cases += kSumBatch;
  }
  return agreement;
}

}  // namespace wb
