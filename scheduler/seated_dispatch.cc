#include "scheduler/seated_dispatch.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/record.h"

namespace wb {
namespace {

// Seats that one thread fills or reaps at a time.
constexpr size_t kPart = 8192;

}  // namespace

SeatedDispatch::SeatedDispatch(std::unique_ptr<Dispatch> dispatch, const JobPlan& plan,
                               uint64_t bytes)
    : dispatch_(std::move(dispatch)), bytes_(bytes), seats_(dispatch_->shape().Seats()) {
  for (size_t seat = seats_.size(); seat-- > 0;) free_.push_back(static_cast<uint32_t>(seat));
  FillShared(plan, *dispatch_);
}

void SeatedDispatch::Seat(const JobPlan& plan, const Claim& claim, Crew& crew) {
  const uint64_t count = claim.size();
  WB_CHECK(count <= free_.size());
  if (count == 0) return;
  written_ = true;
  const size_t first = free_.size() - count;
  const auto fill = [&](size_t part) {
    const size_t begin = first + part * kPart;
    const size_t end = std::min<size_t>(begin + kPart, free_.size());
    for (size_t i = begin; i < end; ++i) {
      const Ticket ticket = claim.At(free_.size() - 1 - i);
      seats_[free_[i]] = ticket;
      FillSeat(plan, ticket.instance, free_[i], *dispatch_);
    }
  };
  crew.Run((count + kPart - 1) / kPart, fill, [](size_t) {});
  free_.resize(first);
}

// False: somebody still sits there.
bool SeatedDispatch::ReapSeat(const JobPlan& plan, const Origin& origin, uint32_t seat,
                              Harvest& harvest) {
  const DispatchShape& shape = dispatch_->shape();
  const size_t words = shape.RecordWords();
  const std::span<uint32_t> record = dispatch_->records().subspan(seat * words, words);
  const uint32_t state = record[abi::RECORD_SEAT];
  if (state == abi::SEAT_RUNNING) harvest.seated += {1, 0, RecordFuel(record)};
  if (state == abi::SEAT_START) harvest.seated += {0, 1, 0};
  if (state == abi::SEAT_START || state == abi::SEAT_RUNNING) return false;
  const Ticket& ticket = *seats_[seat];
  if (state == abi::SEAT_NEEDS_MEMORY && shape.capacity_pages < shape.max_pages) {
    harvest.need_memory.push_back(ticket);
  } else if (state == abi::SEAT_NEEDS_STACK && shape.capacity_stack < shape.max_stack) {
    harvest.need_stack.push_back(ticket);
  } else {
    std::optional<InstanceResult> result;
    if (state == abi::SEAT_DONE) result = DecodeRecord(plan, record);
    harvest.sound = result.has_value();
    if (!result) return false;
    result->instance = ticket.instance;
    result->attempt = ticket.attempt;
    result->device = origin.device;
    result->fast32 = origin.fast32;
    harvest.results.Add(std::move(*result));
  }
  seats_[seat].reset();
  record[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
  return true;
}

SeatedDispatch::Reaped SeatedDispatch::Reap(const JobPlan& plan, const Origin& origin,
                                            uint32_t first, uint32_t end) {
  Reaped reaped;
  reaped.harvest.results.Reserve(end - first);
  for (uint32_t seat = first; seat < end && reaped.harvest.sound; ++seat) {
    if (seats_[seat] && ReapSeat(plan, origin, seat, reaped.harvest)) reaped.left.push_back(seat);
  }
  return reaped;
}

void SeatedDispatch::Collect(const JobPlan& plan, const Origin& origin,
                             const std::function<void(Harvest)>& reap, Crew& crew) {
  const size_t parts = (seats_.size() + kPart - 1) / kPart;
  std::vector<Reaped> reaped(parts);
  const auto work = [&](size_t part) {
    const size_t end = std::min((part + 1) * kPart, seats_.size());
    reaped[part] =
        Reap(plan, origin, static_cast<uint32_t>(part * kPart), static_cast<uint32_t>(end));
  };
  const auto then = [&](size_t part) {
    Reaped taken = std::move(reaped[part]);
    written_ = written_ || !taken.left.empty();
    free_.insert(free_.end(), taken.left.begin(), taken.left.end());
    reap(std::move(taken.harvest));
  };
  crew.Run(parts, work, then);
}

std::vector<Ticket> SeatedDispatch::Abandon() {
  std::vector<Ticket> tickets;
  for (uint32_t seat = 0; seat < seats_.size(); ++seat) {
    if (!seats_[seat]) continue;
    tickets.push_back(*std::exchange(seats_[seat], std::nullopt));
    free_.push_back(seat);
  }
  return tickets;
}

}  // namespace wb
