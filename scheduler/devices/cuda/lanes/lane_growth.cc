#include "scheduler/devices/cuda/lanes/lane_growth.h"

#include <array>
#include <set>
#include <span>
#include <vector>

namespace wb {
namespace {

using Row = std::array<uint32_t, abi::GROUP_LANES>;  // a word of a group's lanes

struct WaitingInstance {
  uint32_t seat = 0;
  uint32_t lane = 0;
};

// An instance that needs more than the addresses allow starts again elsewhere, as does one without
// frames.
bool WaitsForMemory(std::span<const uint32_t> record, const DispatchShape& shape) {
  const uint32_t wanted = record[abi::RECORD_WANTED_PAGES];
  return record[abi::RECORD_SEAT] == abi::SEAT_NEEDS_MEMORY && wanted != 0 &&
         wanted <= shape.capacity_pages;
}

// Of queued seats the record says in which lane the instance was left.
std::vector<WaitingInstance> FindWaiting(const DispatchShape& shape, CudaSeats& seats) {
  std::vector<WaitingInstance> waiting;
  for (uint32_t seat = 0; seat < shape.Seats(); ++seat) {
    const std::span<const uint32_t> record = seats.record(seat);
    if (!WaitsForMemory(record, shape)) continue;
    const uint32_t lane = shape.seats != 0 ? record[abi::RECORD_LANE] - 1 : seat;
    if (lane < shape.lanes) waiting.push_back({seat, lane});
  }
  return waiting;
}

// Writes to the lanes of these groups how many pages they have.
Status TellCapacity(const CudaContext& context, const MappedLanes& lanes,
                    const std::set<uint64_t>& groups) {
  const uint64_t group_bytes = lanes.plan().GroupBytes();
  std::vector<Row> rows(groups.size());
  return context.WithoutKernel([&]() -> Status {
    size_t i = 0;
    for (const uint64_t group : groups) {
      rows[i].fill(lanes.pages(group));
      WB_CUDA_TRY(context.driver(), copy_to_device,
                  (lanes.address() + group * group_bytes + abi::LANE_CAPACITY_PAGES * kRowBytes,
                   rows[i].data(), kRowBytes, context.move_stream()));
      ++i;
    }
    WB_CUDA_TRY(context.driver(), stream_synchronize, (context.move_stream()));
    return {};
  });
}

}  // namespace

Result<uint32_t> GrowWaitingLanes(const CudaContext& context, const DispatchShape& shape,
                                  MappedLanes& lanes, CudaSeats& seats) {
  const std::vector<WaitingInstance> waiting = FindWaiting(shape, seats);
  if (waiting.empty()) return 0u;
  WB_TRY(context.Enter());
  std::set<uint64_t> groups;
  uint32_t go_on = 0;
  for (const WaitingInstance& one : waiting) {
    const std::span<uint32_t> record = seats.record(one.seat);
    const uint64_t group = one.lane / abi::GROUP_LANES;
    const Status status = lanes.GrowWell(group, record[abi::RECORD_WANTED_PAGES]);
    if (status.reason() == Reason::kNoDeviceFits) continue;  // it waits on
    WB_TRY(status);
    record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
    record[abi::RECORD_WANTED_PAGES] = 0;
    groups.insert(group);
    ++go_on;
  }
  if (go_on == 0) return 0u;
  WB_TRY(TellCapacity(context, lanes, groups));
  seats.RecordChanged();
  return go_on;
}

}  // namespace wb
