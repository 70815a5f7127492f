#include "tests/compiler/floats/agreement.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

#include "compiler/base/flush_subnormals.h"
#include "tests/compiler/floats/operands.h"
#include "tests/compiler/runtime/number_samples.h"
#include "tests/compiler/runtime/numeric_reference.h"

namespace wb {
namespace {

constexpr size_t kBatch = 4096;

bool IsNan(ValueType type, uint64_t bits) {
  if (type == ValueType::kF32) return std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return type == ValueType::kF64 && std::isnan(std::bit_cast<double>(bits));
}

class Batch {
 public:
  explicit Batch(const MetalRow& row) : row_(row), facts_(FactsOf(row.opcode)) {
    for (auto* column : {&a_, &b_, &values_, &traps_}) column->resize(kBatch);
  }

  void Add(uint64_t a, uint64_t b) {
    a_[count_] = a;
    b_[count_] = b;
    if (++count_ == kBatch) Flush();
  }

  Agreement Finish() {
    Flush();
    return std::move(agreement_);
  }

 private:
  void Flush() {
    {
      const FlushSubnormals flushing;
      row_.value(a_.data(), b_.data(), values_.data(), count_);
      if (row_.trap != nullptr) row_.trap(a_.data(), b_.data(), traps_.data(), count_);
    }
    for (size_t i = 0; i < count_; ++i) Judge(i);
    agreement_.cases += count_;
    count_ = 0;
  }

  void Judge(size_t i) {
    const NumericOutcome expected = NumericReference(row_.opcode, a_[i], b_[i]);
    const bool same_nan = !expected.exact_nan && IsNan(facts_.result, expected.bits) &&
                          IsNan(facts_.result, values_[i]);
    const bool same_value = expected.trap != Trap::kNone || values_[i] == expected.bits || same_nan;
    if (traps_[i] == static_cast<uint64_t>(expected.trap) && same_value) return;
    if (agreement_.differences++ != 0) return;
    char text[200];
    std::snprintf(text, sizeof text, "%s(0x%llx, 0x%llx) = trap %u, 0x%llx; hardware: %u, 0x%llx",
                  std::string(facts_.text).c_str(), static_cast<unsigned long long>(a_[i]),
                  static_cast<unsigned long long>(b_[i]), static_cast<unsigned>(traps_[i]),
                  static_cast<unsigned long long>(values_[i]), static_cast<unsigned>(expected.trap),
                  static_cast<unsigned long long>(expected.bits));
    agreement_.first = text;
  }

  const MetalRow& row_;
  const OpcodeFacts& facts_;
  std::vector<uint64_t> a_, b_, values_, traps_;
  size_t count_ = 0;
  Agreement agreement_;
};

}  // namespace

void Agreement::Add(const Agreement& other) {
  if (differences == 0) first = other.first;
  cases += other.cases;
  differences += other.differences;
}

Agreement CheckRow(const MetalRow& row, uint64_t cases, uint64_t seed) {
  const OpcodeFacts& facts = FactsOf(row.opcode);
  Batch batch(row);
  for (uint64_t a : CornerBits(facts.a)) {
    for (uint64_t b : CornerBits(facts.b)) batch.Add(a, b);
  }
  Operands operands(facts.a, facts.b, seed);
  for (uint64_t i = 0; i < cases; ++i) {
    const Operands::Pair pair = operands.Next();
    batch.Add(pair.a, pair.b);
  }
  return batch.Finish();
}

Agreement CheckPatterns(const MetalRow& row, uint64_t first, uint64_t last, uint64_t stride) {
  Batch batch(row);
  for (uint64_t bits = first; bits <= last; bits += stride) batch.Add(bits, 0);
  return batch.Finish();
}

}  // namespace wb
