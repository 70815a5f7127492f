#include "scheduler/seated_dispatch.h"

#include <utility>

#include "compiler/base/check.h"
#include "scheduler/record.h"

namespace wb {

SeatedDispatch::SeatedDispatch(std::unique_ptr<Dispatch> dispatch, const JobPlan& plan,
                               uint64_t bytes)
    : dispatch_(std::move(dispatch)), bytes_(bytes), seats_(dispatch_->shape().Seats()) {
  for (size_t seat = seats_.size(); seat-- > 0;) free_.push_back(static_cast<uint32_t>(seat));
  FillShared(plan, *dispatch_);
}

void SeatedDispatch::Seat(const JobPlan& plan, const Ticket& ticket) {
  WB_CHECK(!free_.empty());
  const uint32_t seat = free_.back();
  free_.pop_back();
  seats_[seat] = ticket;
  written_ = true;
  FillSeat(plan, ticket.instance, seat, *dispatch_);
}

Ticket SeatedDispatch::Leave(uint32_t seat) {
  const Ticket ticket = *seats_[seat];
  seats_[seat].reset();
  written_ = true;
  free_.push_back(seat);
  dispatch_->records()[seat * size_t{dispatch_->shape().RecordWords()} + abi::RECORD_SEAT] =
      abi::SEAT_EMPTY;
  return ticket;
}

Harvest SeatedDispatch::Collect(const JobPlan& plan) {
  Harvest harvest;
  const size_t words = dispatch_->shape().RecordWords();
  for (uint32_t seat = 0; seat < seats_.size(); ++seat) {
    if (!seats_[seat]) continue;
    const std::span<const uint32_t> record = dispatch_->records().subspan(seat * words, words);
    const uint32_t state = record[abi::RECORD_SEAT];
    if (state == abi::SEAT_START || state == abi::SEAT_RUNNING) continue;
    const DispatchShape& shape = dispatch_->shape();
    if (state == abi::SEAT_NEEDS_MEMORY && shape.capacity_pages < shape.max_pages) {
      harvest.need_memory.push_back(Leave(seat));
      continue;
    }
    if (state == abi::SEAT_NEEDS_STACK && shape.capacity_stack < shape.max_stack) {
      harvest.need_stack.push_back(Leave(seat));
      continue;
    }
    std::optional<InstanceResult> result;
    if (state == abi::SEAT_DONE) result = DecodeRecord(plan, record);
    if (!result) {
      harvest.sound = false;
      return harvest;
    }
    const Ticket ticket = Leave(seat);
    result->instance = ticket.instance;
    result->attempt = ticket.attempt;
    harvest.results.push_back(std::move(*result));
  }
  return harvest;
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
