#pragma once

// SeatReaper: what each instance in the seats of a dispatch came to in the launch before. Short-
// lived. Between launches; different threads may reap different seats with one of their own each.

#include <cstdint>
#include <span>

#include "scheduler/job/job_plan.h"
#include "scheduler/run/seats/asking_seats.h"
#include "scheduler/run/seats/harvest.h"
#include "scheduler/run/seats/seat_contents.h"

namespace wb {

class SeatReaper {
 public:
  SeatReaper(const JobPlan& plan, const Origin& origin, SeatContents& contents, AskingSeats& asking)
      : plan_(plan),
        origin_(origin),
        contents_(contents),
        shape_(contents.shape()),
        asking_(asking) {}

  // Adds what the instance in the seat came to. True: it has left, and the seat is empty. False: it
  // stays, or the harvest is not sound any more.
  bool Reap(uint32_t seat, Harvest& harvest);
  // The same for seats of a group (JobPlan::group), which stay or leave together.
  bool ReapGroup(uint32_t first, uint32_t end, Harvest& harvest);

 private:
  enum class GroupState : uint8_t { kEmpty, kGoesOn, kStartsAgain, kHasEnded };
  GroupState StateOf(uint32_t first, uint32_t end, SeatClass& again) const;
  bool NeedsMore(std::span<const uint32_t> record, SeatClass& again) const;
  void StayTogether(uint32_t seat, Harvest& harvest);
  void StartAgain(uint32_t seat, SeatClass seat_class, Harvest& harvest);
  void GoOn(uint32_t seat, uint32_t state, Harvest& harvest);
  void Ask(uint32_t seat, Harvest& harvest);
  void NeedMemory(uint32_t seat, Harvest& harvest);
  void Miss(uint32_t seat, Harvest& harvest);
  void NeedRoom(uint32_t seat, Harvest& harvest);
  void NeedStack(uint32_t seat, Harvest& harvest);
  void End(uint32_t seat, uint32_t state, Harvest& harvest);
  bool EndLikeLast(uint32_t seat, std::span<const uint32_t> record, Harvest& harvest);

  const JobPlan& plan_;
  const Origin& origin_;
  SeatContents& contents_;
  const DispatchShape& shape_;  // of the dispatch
  AskingSeats& asking_;
};

}  // namespace wb
