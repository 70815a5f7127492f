#include "scheduler/run/seats/drained_outputs.h"

#include <utility>

#include "scheduler/run/seats/record.h"

namespace wb {

DrainedOutputs::Drained DrainedOutputs::Drain(const JobPlan& plan, const DispatchShape& shape,
                                              uint32_t seat, std::span<uint32_t> record) {
  const uint32_t buffer = shape.OutputBuffer();
  if (buffer == shape.output_bytes) return Drained::kNothing;
  const uint32_t held = record[abi::RECORD_OUT_BYTES];
  if (held < buffer / 2 && record[abi::RECORD_OUT_WAITS] == 0) return Drained::kNothing;
  const std::optional<Bytes> part = OutputPart(plan, record);
  if (!part) return Drained::kUnsound;
  std::unique_ptr<DrainedOutput>& output = outputs_[seat];
  if (output == nullptr) output = std::make_unique<DrainedOutput>(plan.program.asks);
  if (!output->Join(*part, plan.output_bytes)) return Drained::kUnsound;
  record[abi::RECORD_OUT_BYTES] = 0;
  return Drained::kPart;
}

uint64_t DrainedOutputs::bytes(uint32_t seat) const {
  return outputs_[seat] == nullptr ? 0 : outputs_[seat]->bytes().size();
}

std::optional<DrainedOutput> DrainedOutputs::Take(uint32_t seat) {
  if (outputs_[seat] == nullptr) return std::nullopt;
  return *std::exchange(outputs_[seat], nullptr);
}

void DrainedOutputs::Put(uint32_t seat, const DrainedOutput& output) {
  outputs_[seat] = std::make_unique<DrainedOutput>(output);
}

}  // namespace wb
