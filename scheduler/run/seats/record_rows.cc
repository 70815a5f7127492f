#include "scheduler/run/seats/record_rows.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "scheduler/run/seats/record.h"

namespace wb {
namespace {

bool HasOutputs(const JobPlan& plan) {
  const auto reads = [](const Step& step) { return std::holds_alternative<ReadStep>(step); };
  return plan.program.asks || std::any_of(plan.spec.steps.begin(), plan.spec.steps.end(), reads);
}

}  // namespace

RecordRows::Key RecordRows::KeyOf(std::span<const uint32_t> record, uint32_t attempt) {
  return {record[abi::RECORD_END],
          record[abi::RECORD_PAGES],
          record[abi::RECORD_STEP],
          record[abi::RECORD_TRAP],
          record[abi::RECORD_TRAP_FUNCTION],
          record[abi::RECORD_TRAP_OFFSET],
          attempt};
}

bool RecordRows::AddLikeLast(std::span<const uint32_t> record, uint64_t instance, uint32_t attempt,
                             ResultBatch* batch) {
  if (!has_last_ || KeyOf(record, attempt) != last_) return false;
  for (const uint32_t trap : traps_) {
    if (record[trap] != 0) return false;
  }
  for (size_t i = 0; i < words_.size(); ++i) {
    const uint32_t word = record[words_[i].at];
    row_[i] = words_[i].is_reference ? Value::ReferenceFromLane(word) : word;
  }
  batch->AddAlike(instance, RecordFuel(record), row_);
  return true;
}

void RecordRows::Remember(const JobPlan& plan, const InstanceResult& result) {
  words_.clear();
  traps_.clear();
  has_last_ = true;
  for (size_t step = 0; step < result.steps.size(); ++step) {
    const StepLayout& layout = plan.program.steps[step];
    if (result.steps[step].trap != Trap::kNone) has_last_ = false;
    if (layout.trap_at != abi::NONE) traps_.push_back(abi::RECORD_REGISTERS + layout.trap_at);
    uint32_t at = abi::RECORD_REGISTERS + layout.results_at;
    for (const ValueType type : layout.results) {
      for (uint32_t word = 0; word < TypeWords(type); ++word) {
        words_.push_back({at++, word == 0 && IsReference(type)});
      }
    }
  }
  row_.resize(words_.size());
}

bool RecordRows::Add(const JobPlan& plan, std::span<const uint32_t> record,
                     std::optional<DrainedOutput> drained, const InstanceRef& instance,
                     const Origin& origin, ResultBatch* batch) {
  if (!drained && AddLikeLast(record, instance.instance, instance.attempt, batch)) return true;
  const Key key = KeyOf(record, instance.attempt);
  std::optional<InstanceResult> result = DecodeRecord(plan, record, std::move(drained));
  has_last_ = false;
  if (!result) return false;
  Sign(instance, origin, *result);
  batch->Add(*result);
  if (HasOutputs(plan)) return true;
  Remember(plan, *result);
  last_ = key;
  return true;
}

}  // namespace wb
