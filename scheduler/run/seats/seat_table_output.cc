// SeatTable: instances that write more than their records have room for.

#include <utility>

#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seat_table.h"

namespace wb {

// The instance goes on in the next launch. From one that has filled half of its record, the output
// is taken before it waits. False: no sound engine wrote what there is.
bool SeatTable::Drain(const JobPlan& plan, uint32_t seat, Harvest& harvest) {
  const uint32_t buffer = shape().OutputBuffer();
  if (buffer == shape().output_bytes) return true;
  const std::span<uint32_t> record = RecordAt(*dispatch_, seat);
  const uint32_t held = record[abi::RECORD_OUT_BYTES];
  if (held < buffer / 2 && record[abi::RECORD_OUT_WAITS] == 0) return true;
  const std::optional<Bytes> part = OutputPart(plan, record);
  if (!part) return false;
  std::unique_ptr<DrainedOutput>& drained = drained_[seat];
  if (drained == nullptr) drained = std::make_unique<DrainedOutput>(plan.program.asks);
  if (!drained->Join(*part, plan.output_bytes)) return false;
  record[abi::RECORD_OUT_BYTES] = 0;
  ++harvest.drained;
  return true;
}

uint64_t SeatTable::DrainedBytes(uint32_t seat) const {
  return drained_[seat] == nullptr ? 0 : drained_[seat]->bytes().size();
}

std::optional<DrainedOutput> SeatTable::TakeDrained(uint32_t seat) {
  if (drained_[seat] == nullptr) return std::nullopt;
  return *std::exchange(drained_[seat], nullptr);
}

}  // namespace wb
