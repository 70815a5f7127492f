#include "scheduler/run/seats/seat_table.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"

namespace wb {
namespace {

// Seats that one thread fills or reaps at a time.
constexpr size_t kPart = 8192;

}  // namespace

Status UnsoundRecord(const std::string& device) {
  return {Reason::kDeviceLost,
          "The device " + Quoted(device) + " wrote a record that no sound engine writes."};
}

SeatTable::SeatTable(std::unique_ptr<Dispatch> dispatch, const JobPlan& plan, uint64_t bytes)
    : dispatch_(std::move(dispatch)),
      bytes_(bytes),
      seats_(dispatch_->shape().Seats()),
      drained_(seats_.size()) {
  for (size_t seat = seats_.size(); seat-- > 0;) free_.push_back(static_cast<uint32_t>(seat));
  FillShared(plan, *dispatch_);
}

void SeatTable::Put(const JobPlan& plan, const BlobPlan& blob, const InstanceRef& instance,
                    uint32_t seat) {
  seats_[seat] = instance;
  drained_.Drop(seat);
  FillSeat(plan, blob, instance.instance, seat, *dispatch_);
}

void SeatTable::Seat(const JobPlan& plan, const Claim& claim, HelperThreads& helpers) {
  const uint64_t count = claim.size();
  WB_CHECK(count <= free_.size());
  if (count == 0) return;
  written_ = true;
  const size_t first = free_.size() - count;
  const auto fill = [&](size_t part) {
    const size_t begin = first + part * kPart;
    const size_t end = std::min<size_t>(begin + kPart, free_.size());
    for (size_t i = begin; i < end; ++i) {
      Put(plan, plan.blob, claim.At(free_.size() - 1 - i), free_[i]);
    }
  };
  helpers.Run((count + kPart - 1) / kPart, fill, [](size_t) {});
  for (uint64_t i = 0; i < claim.returned(); ++i) {
    const uint32_t seat = free_[free_.size() - 1 - i];
    if (seats_[seat]->moved) arrived_.push_back(seat);
  }
  free_.resize(first);
}

// False: the instance stays in the seat.
bool SeatTable::ReapSeat(const JobPlan& plan, const Origin& origin, uint32_t seat,
                         Harvest& harvest) {
  const DispatchShape& shape = dispatch_->shape();
  const std::span<uint32_t> record = RecordAt(*dispatch_, seat);
  const uint32_t state = record[abi::RECORD_SEAT];
  if (state == abi::SEAT_RUNNING) {
    harvest.seated += {1, 0, RecordFuel(record)};
    const DrainedOutputs::Drained drained = drained_.Drain(plan, shape, seat, record);
    harvest.sound = drained != DrainedOutputs::Drained::kUnsound;
    harvest.drained += drained == DrainedOutputs::Drained::kPart ? 1 : 0;
  }
  if (state == abi::SEAT_START) harvest.seated += {0, 1, 0};
  if (state == abi::SEAT_START || state == abi::SEAT_RUNNING) return false;
  const InstanceRef& instance = *seats_[seat];
  if (AsksHost(record)) {
    harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(record));
    // Where its call could not be read, as the machine lacked something, it starts again.
    if (!TakeAsking(origin, seat, harvest)) harvest.need_memory.push_back(instance);
  } else if (state == abi::SEAT_NEEDS_MEMORY && !shape.ReservesAll()) {
    InstanceRef& again = harvest.need_memory.emplace_back(instance);
    harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(record));
    again.seat_class = GrownClass(again.seat_class, shape, *plan.spec.module, record);
    again.brought = 0;  // until its state is imported
  } else if (state == abi::SEAT_NEEDS_STACK && shape.capacity_stack < shape.max_stack) {
    harvest.need_stack.push_back(instance);
    harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(record));
  } else {
    std::optional<InstanceResult> result;
    if (state == abi::SEAT_DONE) result = DecodeRecord(plan, record, drained_.Take(seat));
    harvest.sound = result.has_value();
    if (!result) return false;
    result->instance = instance.instance;
    result->attempt = instance.attempt;
    result->device = origin.device;
    result->fast32 = origin.fast32;
    result->build = origin.build;
    harvest.brought += instance.brought;
    harvest.results.Add(std::move(*result));
  }
  seats_[seat].reset();
  drained_.Drop(seat);
  record[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
  return true;
}

SeatTable::Reaped SeatTable::Reap(const JobPlan& plan, const Origin& origin, uint32_t first,
                                  uint32_t end) {
  Reaped reaped;
  reaped.harvest.results.Reserve(end - first);
  for (uint32_t seat = first; seat < end && reaped.harvest.sound; ++seat) {
    if (seats_[seat] && ReapSeat(plan, origin, seat, reaped.harvest)) reaped.left.push_back(seat);
  }
  return reaped;
}

void SeatTable::Collect(const JobPlan& plan, const Origin& origin,
                        const std::function<void(Harvest)>& reap, HelperThreads& helpers) {
  const size_t parts = (seats_.size() + kPart - 1) / kPart;
  std::vector<Reaped> reaped(parts);
  const auto work = [&](size_t part) {
    const size_t end = std::min((part + 1) * kPart, seats_.size());
    reaped[part] =
        Reap(plan, origin, static_cast<uint32_t>(part * kPart), static_cast<uint32_t>(end));
  };
  const auto then = [&](size_t part) {
    Reaped taken = std::move(reaped[part]);
    written_ = written_ || !taken.left.empty() || taken.harvest.drained > 0;
    free_.insert(free_.end(), taken.left.begin(), taken.left.end());
    reap(std::move(taken.harvest));
  };
  helpers.Run(parts, work, then);
  asking_.clear();
}

uint64_t SeatTable::FuelIn(std::span<const uint32_t> seats) {
  uint64_t fuel = 0;
  for (const uint32_t seat : seats) {
    const std::span<const uint32_t> record = RecordAt(*dispatch_, seat);
    if (record[abi::RECORD_SEAT] == abi::SEAT_RUNNING) fuel = AddBounded(fuel, RecordFuel(record));
  }
  return fuel;
}

std::vector<InstanceRef> SeatTable::Abandon() {
  std::vector<InstanceRef> instances;
  for (uint32_t seat = 0; seat < seats_.size(); ++seat) {
    if (!seats_[seat]) continue;
    instances.push_back(Leave(seat));
  }
  return instances;
}

InstanceRef SeatTable::Leave(uint32_t seat) {
  InstanceRef instance = *std::exchange(seats_[seat], std::nullopt);
  if (!instance.moved) instance.brought = 0;  // it starts again
  drained_.Drop(seat);
  free_.push_back(seat);
  return instance;
}

void SeatTable::LowestFirst() { std::sort(free_.rbegin(), free_.rend()); }

void SeatTable::SeatFor(const JobPlan& plan, const BlobPlan& blob, const Claim& claim,
                        std::vector<uint32_t>& its) {
  WB_CHECK(claim.size() <= free_.size());
  for (uint64_t i = 0; i < claim.size(); ++i) {
    const uint32_t seat = free_.back();
    free_.pop_back();
    Put(plan, blob, claim.At(i), seat);
    if (seats_[seat]->moved) arrived_.push_back(seat);
    its.push_back(seat);
    written_ = true;
  }
}

Harvest SeatTable::CollectFrom(const JobPlan& plan, const Origin& origin,
                               std::vector<uint32_t>& its) {
  Harvest harvest;
  const auto has_left = [&](uint32_t seat) {
    const bool left = harvest.sound && ReapSeat(plan, origin, seat, harvest);
    if (left) free_.push_back(seat);
    return left;
  };
  const size_t before = its.size();
  its.erase(std::remove_if(its.begin(), its.end(), has_left), its.end());
  written_ = written_ || its.size() < before || harvest.drained > 0;
  return harvest;
}

std::vector<InstanceRef> SeatTable::Vacate(std::vector<uint32_t>& its, Which which) {
  const auto stays = [&](uint32_t seat) {
    return which == Which::kNotStarted &&
           RecordAt(*dispatch_, seat)[abi::RECORD_SEAT] != abi::SEAT_START;
  };
  const auto first = std::stable_partition(its.begin(), its.end(), stays);
  std::vector<uint32_t> leaving(first, its.end());
  its.erase(first, its.end());
  for (const uint32_t seat : leaving) {
    RecordAt(*dispatch_, seat)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
    RecordAt(*dispatch_, seat)[abi::RECORD_QUEUED] = 0;
  }
  written_ = written_ || !leaving.empty();
  return Abandon(leaving);
}

std::vector<InstanceRef> SeatTable::Abandon(std::vector<uint32_t>& its) {
  std::vector<InstanceRef> instances;
  for (const uint32_t seat : its) instances.push_back(Leave(seat));
  its.clear();
  return instances;
}

}  // namespace wb
