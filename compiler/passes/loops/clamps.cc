#include "compiler/passes/loops/clamps.h"

#include <algorithm>

namespace wb {
namespace {

// The same i32s without signs.
struct Unsigned {
  int64_t least = 0;
  int64_t most = UINT32_MAX;
};

Unsigned WithoutSigns(const Interval& interval) {
  if (interval.least >= 0) return {interval.least, interval.most};
  constexpr int64_t kWrap = int64_t{1} << 32;
  if (interval.most < 0) return {interval.least + kWrap, interval.most + kWrap};
  return {};
}

Interval WithSigns(const Unsigned& range) {
  return range.most <= INT32_MAX ? Interval{range.least, range.most} : Interval{};
}

}  // namespace

Interval IntervalOf(const LinearForm& form) {
  if (!form.known || !form.value.terms.empty() || form.per_round != 0) return {};
  const int64_t least = static_cast<int32_t>(form.value.constant);
  const int64_t most = least + static_cast<int64_t>(form.rest);
  return most <= INT32_MAX ? Interval{least, most} : Interval{};
}

Interval IntervalOf(const KnownBits& bits) {
  if (!bits.has_value() || bits.most() > INT32_MAX) return {};
  return {bits.least(), bits.most()};
}

Interval Both(const Interval& a, const Interval& b) {
  return {std::max(a.least, b.least), std::min(a.most, b.most)};
}

LinearForm FormOf(const Interval& interval) {
  const int64_t rest = interval.most - interval.least;
  if (rest < 0 || rest > static_cast<int64_t>(LinearForm::kMostRest)) return LinearForm::Unknown();
  LinearForm form = LinearForm::Constant(static_cast<uint32_t>(interval.least));
  form.rest = static_cast<uint64_t>(rest);
  if (rest != 0) form.rest_zeros = 0;
  return form;
}

std::optional<Order> OrderOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kI32LtS:
    case Opcode::kI32LeS: return Order{true, true};
    case Opcode::kI32GtS:
    case Opcode::kI32GeS: return Order{true, false};
    case Opcode::kI32LtU:
    case Opcode::kI32LeU: return Order{false, true};
    case Opcode::kI32GtU:
    case Opcode::kI32GeU: return Order{false, false};
    default: return std::nullopt;
  }
}

Interval SmallerOf(const Interval& a, const Interval& b, bool with_signs) {
  if (with_signs) return {std::min(a.least, b.least), std::min(a.most, b.most)};
  const Unsigned x = WithoutSigns(a), y = WithoutSigns(b);
  return WithSigns({std::min(x.least, y.least), std::min(x.most, y.most)});
}

Interval LargerOf(const Interval& a, const Interval& b, bool with_signs) {
  if (with_signs) return {std::max(a.least, b.least), std::max(a.most, b.most)};
  const Unsigned x = WithoutSigns(a), y = WithoutSigns(b);
  return WithSigns({std::max(x.least, y.least), std::max(x.most, y.most)});
}

}  // namespace wb
