#include "scheduler/run/seats/seat_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seat_reaper.h"

namespace wb {
namespace {

// Seats that one thread fills or reaps at a time.
constexpr size_t kPart = 8192;

}  // namespace

SeatTable::SeatTable(std::unique_ptr<Dispatch> dispatch, const JobPlan& plan, uint64_t bytes)
    : contents_(std::move(dispatch)), bytes_(bytes) {
  for (size_t seat = contents_.instances.size(); seat-- > 0;)
    free_.push_back(static_cast<uint32_t>(seat));
  FillShared(plan, *contents_.dispatch);
}

void SeatTable::Put(const JobPlan& plan, const BlobPlan& blob, InstanceRef instance,
                    uint32_t seat) {
  FillSeats(plan, blob, instance.instance, {&seat, 1}, contents_.memory);
  contents_.instances.Put(seat, std::move(instance));
}

void SeatTable::Seat(const JobPlan& plan, const Claim& claim, HelperThreads& helpers) {
  const uint64_t count = claim.size();
  WB_CHECK(count <= free_.size());
  if (count == 0) return;
  written_ = true;
  if (taken_seats() == 0) contents_.instances.Expect(claim.At(0));
  if (plan.group > 1) return SeatGroups(plan, claim);
  std::vector<uint32_t> seats(free_.rbegin(), free_.rbegin() + static_cast<ptrdiff_t>(count));
  free_.resize(free_.size() - count);
  const auto fill = [&](size_t part) {
    const uint64_t begin = part * kPart;
    FillPart(plan, claim, begin, std::span(seats).subspan(begin, std::min(kPart, count - begin)));
  };
  helpers.Run((count + kPart - 1) / kPart, fill, [](size_t) {});
  for (uint64_t i = 0; i < claim.returned(); ++i) {
    if (claim.At(i).HasState()) moves_.Arrive(seats[i]);
  }
}

// Free seats are those of whole groups, one after the other.
void SeatTable::SeatGroups(const JobPlan& plan, const Claim& claim) {
  uint64_t i = 0;
  while (i < claim.size()) {
    WB_CHECK(free_.size() >= plan.group && free_.back() % plan.group == 0);
    const uint32_t first = free_.back();
    free_.resize(free_.size() - plan.group);
    const uint64_t group = claim.At(i).instance / plan.group;
    for (; i < claim.size() && claim.At(i).instance / plan.group == group; ++i) {
      const auto place = static_cast<uint32_t>(claim.At(i).instance % plan.group);
      Put(plan, plan.blob, claim.At(i), first + place);
    }
  }
}

// Those of the claim from `first` on, in these seats.
void SeatTable::FillPart(const JobPlan& plan, const Claim& claim, uint64_t first,
                         std::span<const uint32_t> seats) {
  const uint64_t left = claim.returned() - std::min(claim.returned(), first);
  const uint64_t returned = std::min<uint64_t>(left, seats.size());
  for (uint64_t i = 0; i < returned; ++i) {
    Put(plan, plan.blob, claim.At(first + i), seats[i]);
  }
  seats = seats.subspan(returned);
  if (seats.empty()) return;  // Claim::At() has none
  const InstanceRef fresh = claim.At(first + returned);
  FillSeats(plan, plan.blob, fresh.instance, seats, contents_.memory);
  contents_.instances.PutRow(seats, fresh);
}

SeatTable::Reaped SeatTable::Reap(const JobPlan& plan, const Origin& origin, uint32_t first,
                                  uint32_t end) {
  Reaped reaped;
  reaped.harvest.results.Reserve(end - first);
  reaped.left.reserve(end - first);
  SeatReaper reaper(plan, origin, contents_, asking_);
  if (plan.group > 1) {
    for (uint32_t seat = first; seat < end && reaped.harvest.sound; seat += plan.group) {
      if (!reaper.ReapGroup(seat, seat + plan.group, reaped.harvest)) continue;
      for (uint32_t i = 0; i < plan.group; ++i) reaped.left.push_back(seat + i);
    }
    return reaped;
  }
  for (uint32_t seat = first; seat < end && reaped.harvest.sound; ++seat) {
    contents_.memory.Expect(seat + SeatMemory::kAhead);
    if (!contents_.instances.Has(seat)) continue;
    if (reaper.Reap(seat, reaped.harvest)) reaped.left.push_back(seat);
  }
  return reaped;
}

void SeatTable::Collect(const JobPlan& plan, const Origin& origin,
                        const std::function<void(Harvest)>& reap, HelperThreads& helpers) {
  const size_t parts = (contents_.instances.size() + kPart - 1) / kPart;
  std::vector<Reaped> reaped(parts);
  const auto work = [&](size_t part) {
    const size_t end = std::min((part + 1) * kPart, contents_.instances.size());
    reaped[part] =
        Reap(plan, origin, static_cast<uint32_t>(part * kPart), static_cast<uint32_t>(end));
  };
  const auto then = [&](size_t part) {
    Reaped taken = std::move(reaped[part]);
    written_ = written_ || !taken.left.empty() || taken.harvest.drained > 0;
    // The lowest last: instances that follow one another come to seats that do, and so do results.
    free_.insert(free_.end(), taken.left.rbegin(), taken.left.rend());
    reap(std::move(taken.harvest));
  };
  helpers.Run(parts, work, then);
  asking_.Clear();
}

std::vector<uint32_t> SeatTable::GiveRooms(std::span<const uint32_t> of,
                                           const std::function<WholeRoomRef()>& take) {
  std::vector<uint32_t> without;
  for (const uint32_t seat : of) {
    if (!contents_.WantsRoom(seat)) continue;
    if (without.empty()) contents_.instances.Edit(seat).room = take();
    if (!contents_.instances.HasRoom(seat)) without.push_back(seat);
  }
  return without;
}

uint64_t SeatTable::FuelIn(std::span<const uint32_t> seats) {
  uint64_t fuel = 0;
  for (const uint32_t seat : seats) {
    const std::span<const uint32_t> record = contents_.RecordOf(seat);
    if (record[abi::RECORD_SEAT] == abi::SEAT_RUNNING) fuel = AddBounded(fuel, RecordFuel(record));
  }
  return fuel;
}

std::vector<uint32_t> SeatTable::Taken() const {
  std::vector<uint32_t> taken;
  for (uint32_t seat = 0; seat < contents_.instances.size(); ++seat) {
    if (contents_.instances.Has(seat)) taken.push_back(seat);
  }
  return taken;
}

std::vector<InstanceRef> SeatTable::Abandon() {
  std::vector<uint32_t> all = Taken();
  std::vector<InstanceRef> instances = Abandon(all);
  free_.resize(contents_.instances.size());  // those that a group left, too
  std::iota(free_.rbegin(), free_.rend(), 0u);
  return instances;
}

InstanceRef SeatTable::Leave(uint32_t seat) {
  InstanceRef instance = contents_.instances.Take(seat);
  if (!instance.moved) instance.brought = 0;  // it starts again
  contents_.drained.Drop(seat);
  free_.push_back(seat);
  return instance;
}

std::vector<SeatTable::Refused> SeatTable::TakeRefused(const ArrivalTerms& terms) {
  std::vector<Refused> refused;
  for (RefusedLane& lane : moves_.TakeRefused()) {
    Refused& one = refused.emplace_back();
    one.was_given = lane.was_given;
    one.why = std::move(lane.why);
    if (!terms.must_keep) continue;
    contents_.RecordOf(lane.seat)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
    contents_.RecordOf(lane.seat)[abi::RECORD_QUEUED] = 0;
    one.instance = Leave(lane.seat);
    written_ = true;
  }
  return refused;
}

void SeatTable::LowestFirst() { std::sort(free_.rbegin(), free_.rend()); }

void SeatTable::SeatFor(const JobPlan& plan, const BlobPlan& blob, const Claim& claim,
                        std::vector<uint32_t>& its) {
  WB_CHECK(claim.size() <= free_.size());
  for (uint64_t i = 0; i < claim.size(); ++i) {
    const uint32_t seat = free_.back();
    free_.pop_back();
    InstanceRef instance = claim.At(i);
    if (instance.HasState()) moves_.Arrive(seat);
    Put(plan, blob, std::move(instance), seat);
    its.push_back(seat);
    written_ = true;
  }
}

Harvest SeatTable::CollectFrom(const JobPlan& plan, const Origin& origin,
                               std::vector<uint32_t>& its) {
  Harvest harvest;
  SeatReaper reaper(plan, origin, contents_, asking_);
  const auto has_left = [&](uint32_t seat) {
    const bool left = harvest.sound && reaper.Reap(seat, harvest);
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
           contents_.RecordOf(seat)[abi::RECORD_SEAT] != abi::SEAT_START;
  };
  const auto first = std::stable_partition(its.begin(), its.end(), stays);
  std::vector<uint32_t> leaving(first, its.end());
  its.erase(first, its.end());
  for (const uint32_t seat : leaving) {
    contents_.RecordOf(seat)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
    contents_.RecordOf(seat)[abi::RECORD_QUEUED] = 0;
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
