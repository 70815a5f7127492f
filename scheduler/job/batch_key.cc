#include "scheduler/job/batch_key.h"

#include <algorithm>
#include <bit>
#include <span>

namespace wb {
namespace {

// Of byte inputs in a seat. What is larger would be copied for each of a job's instances.
constexpr uint64_t kMaxSlotBytes = 64 << 10;
constexpr uint64_t kLeastSlotBytes = 64;

}  // namespace

BlobPlan SlotsOf(const JobPlan& plan) {
  BlobPlan slots;
  slots.all_in_slots = true;
  slots.column_at.assign(plan.spec.columns.size(), 0);
  for (size_t i = 0; i < plan.spec.columns.size(); ++i) {
    const Column& column = plan.spec.columns[i];
    if (column.kind != Column::Kind::kBytes) continue;
    slots.column_at[i] = static_cast<uint32_t>(slots.slot_bytes);
    slots.slot_bytes += LongestInput(column);
  }
  if (slots.slot_bytes > 0) {
    slots.slot_bytes = std::bit_ceil(std::max(slots.slot_bytes, kLeastSlotBytes));
  }
  return slots;
}

std::optional<Digest> ShareKeyOf(const JobPlan& plan, const PipelineMark& pipeline) {
  if (plan.spec.limits.max_total_fuel || plan.kept) return std::nullopt;
  if (plan.blob.shared_bytes + plan.blob.slot_bytes > kMaxSlotBytes) return std::nullopt;
  const EncodedProgram& program = plan.program;
  DigestBuilder builder;
  builder.Add(ByteView(pipeline.key.bytes)).Add(static_cast<uint64_t>(pipeline.effort));
  builder.Add(uint64_t{pipeline.fast32});
  const auto words = std::as_bytes(std::span(program.words));
  builder.Add(ByteView(reinterpret_cast<const uint8_t*>(words.data()), words.size()));
  builder.Add(program.steps.size()).Add(program.column_words).Add(program.register_words);
  builder.Add(plan.spec.limits.max_fuel).Add(plan.spec.limits.max_stack);
  builder.Add(plan.min_pages).Add(plan.max_pages).Add(plan.output_bytes);
  builder.Add(SlotsOf(plan).slot_bytes).Add(static_cast<uint64_t>(plan.spec.hint));
  return builder.Finish();
}

JobPlan BatchPlanOf(const JobPlan& plan) {
  JobPlan batch;
  batch.spec.module = plan.spec.module;
  batch.spec.limits = plan.spec.limits;
  batch.spec.hint = plan.spec.hint;
  batch.program = plan.program;
  batch.min_pages = plan.min_pages;
  batch.max_pages = plan.max_pages;
  batch.output_bytes = plan.output_bytes;
  batch.output_buffer = plan.output_buffer;
  batch.blob = SlotsOf(plan);
  return batch;
}

}  // namespace wb
