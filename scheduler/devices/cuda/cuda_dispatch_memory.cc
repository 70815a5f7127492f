// CudaDispatch: instances that were left because they wait for memory, between two launches.

#include <array>

#include "scheduler/devices/cuda/cuda_dispatch.h"

namespace wb {
namespace {

using Row = std::array<uint32_t, abi::GROUP_LANES>;  // a word of a group's lanes

}  // namespace

// An instance that needs more than the addresses allow starts again elsewhere, as does one without
// frames.
std::vector<uint32_t> CudaDispatch::WaitingSeats() {
  std::vector<uint32_t> seats;
  const std::span<const uint32_t> all = records();
  for (uint32_t seat = 0; seat < shape_.Seats(); ++seat) {
    const uint32_t* record = &all[uint64_t{seat} * params_.record_words];
    const uint32_t wanted = record[abi::RECORD_WANTED_PAGES];
    const bool waits = record[abi::RECORD_SEAT] == abi::SEAT_NEEDS_MEMORY && wanted != 0;
    if (waits && wanted <= shape_.capacity_pages) seats.push_back(seat);
  }
  return seats;
}

// Queued seats: the record says in which lane the instance was left.
std::vector<CudaDispatch::Waiting> CudaDispatch::FindWaiting(const std::vector<uint32_t>& seats) {
  std::vector<Waiting> waiting;
  for (const uint32_t seat : seats) {
    uint32_t lane = seat;
    if (shape_.seats != 0) {
      lane = records()[uint64_t{seat} * params_.record_words + abi::RECORD_LANE] - 1;
    }
    if (lane < shape_.lanes) waiting.push_back({seat, lane});
  }
  return waiting;
}

// A kernel that stays on the GPU may hold words of lanes in its caches. It leaves before the host
// reads or writes them.
Status CudaDispatch::WithoutKernel(const std::function<Status()>& work) const {
  Status status;
  context_->WithIdleGpu([&] {
    status = work();
    return 0;
  });
  return status;
}

Status CudaDispatch::TellCapacity(const std::set<uint64_t>& groups) {
  const uint64_t group_bytes = lanes_->mapped->plan().GroupBytes();
  std::vector<Row> rows(groups.size());
  return WithoutKernel([&]() -> Status {
    size_t i = 0;
    for (const uint64_t group : groups) {
      rows[i].fill(lanes_->mapped->pages(group));
      WB_CUDA_TRY(context_->driver(), copy_to_device,
                  (lanes_->address() + group * group_bytes + abi::LANE_CAPACITY_PAGES * kRowBytes,
                   rows[i].data(), kRowBytes, context_->move_stream()));
      ++i;
    }
    WB_CUDA_TRY(context_->driver(), stream_synchronize, (context_->move_stream()));
    return {};
  });
}

Result<uint32_t> CudaDispatch::GiveMemory() {
  if (lanes_->mapped == nullptr) return 0u;
  const std::vector<uint32_t> seats = WaitingSeats();
  if (seats.empty()) return 0u;
  WB_TRY(context_->Enter());
  std::set<uint64_t> groups;
  uint32_t go_on = 0;
  for (const Waiting& one : FindWaiting(seats)) {
    uint32_t* record = &records()[uint64_t{one.seat} * params_.record_words];
    const uint64_t group = one.lane / abi::GROUP_LANES;
    const Status status = lanes_->mapped->GrowWell(group, record[abi::RECORD_WANTED_PAGES]);
    if (status.reason() == Reason::kNoDeviceFits) continue;  // it waits on
    WB_TRY(status);
    record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
    record[abi::RECORD_WANTED_PAGES] = 0;
    groups.insert(group);
    ++go_on;
  }
  if (go_on == 0) return 0u;
  WB_TRY(TellCapacity(groups));
  records_changed_ = true;
  return go_on;
}

}  // namespace wb
