#pragma once

// LaneMoves: instances that leave the seats of a dispatch with their state, and those that arrive
// with it (../../docs/migration.md). One thread, between launches.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/base/clock.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/moved_lane.h"
#include "scheduler/run/seats/migration_rule.h"
#include "scheduler/run/seats/seat_contents.h"
#include "scheduler/run/seats/seated.h"

namespace wb {

// Under what terms lanes leave with their state.
struct MovingTerms {
  const LaneLayout& layout;
  bool fast32 = false;
  double fuel_per_s = 0;  // where they go to, all lanes together
  MigrationRule& rule;
  const ImageBudget& budget;
  Clock& clock;
};

// Under what terms lanes arrive with their state.
struct ArrivalTerms {
  bool fast32 = false;     // of the kernel here
  bool must_keep = false;  // who began in a given state begins nowhere else (JobBefore)
};

// Under what terms states leave the scheduler.
struct KeepingTerms {
  const LaneLayout& layout;
  bool fast32 = false;
  uint64_t planned = 0;  // LeavingState
  StateKeeper& keeper;
};

// An instance whose state was not taken in.
struct RefusedLane {
  uint32_t seat = 0;
  bool was_given = false;  // the state was the given one, so that the instance has no other
  Status why;
};

inline constexpr uint64_t kBytesAtOnce = uint64_t{32} << 20;  // of images, for one call to a device

// Of these seats the first ones whose images one call to a device moves: kBytesAtOnce of images at
// most, but one image in any case.
std::span<const uint32_t> FirstImages(const LaneLayout& layout, SeatContents& contents,
                                      std::span<const uint32_t> seats);

class LaneMoves {
 public:
  // The instance in this seat has brought its state, with which the next Import lets it go on.
  void Arrive(uint32_t seat) { arrived_.push_back(seat); }
  // Those instances go on where their state fits, and start again elsewhere. The ones that go on,
  // as of now. Given states are read here, a few at a time. DEVICE_LOST: the device is dead.
  Result<Seated> Import(Device& device, const ArrivalTerms& terms, SeatContents& contents);
  // Of the last Import, those that began in a given state: where they must keep it they leave
  // before a launch.
  std::vector<RefusedLane> TakeRefused() { return std::exchange(refused_, {}); }

  // Gives those left midway in these seats their state to take along, where that pays and there is
  // room for it. The fuel that this dispatch has run of them. DEVICE_LOST likewise.
  static Result<uint64_t> Export(Device& device, const MovingTerms& terms,
                                 std::span<const uint32_t> of, SeatContents& contents);
  // Hands the states of those left midway in these seats to the keeper, a few at a time. How many
  // it keeps. DEVICE_LOST likewise.
  static Result<uint64_t> Keep(Device& device, const KeepingTerms& terms,
                               std::span<const uint32_t> of, SeatContents& contents);
  // Seats of instances left midway before a memory.grow that the dispatch has no room for.
  static std::vector<uint32_t> WaitingForMemory(SeatContents& contents);

 private:
  // An instance that is on its way into its seat.
  struct Coming {
    uint32_t seat = 0;
    bool was_given = false;  // RefusedLane
    MovedLaneRef state;
  };
  Status ImportSome(Device& device, std::span<const Coming> some, SeatContents& contents,
                    Seated& seated);
  void Refuse(const Coming& coming, const Status& why, SeatContents& contents);

  std::vector<uint32_t> arrived_;  // seats
  std::vector<RefusedLane> refused_;
};

}  // namespace wb
