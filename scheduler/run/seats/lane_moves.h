#pragma once

// LaneMoves: instances that leave the seats of a dispatch with their state, and those that arrive
// with it (../../docs/migration.md). One thread, between launches.

#include <cstdint>
#include <span>
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
  // as of now. DEVICE_LOST: the device is dead.
  Result<Seated> Import(Device& device, bool fast32, SeatContents& contents);

  // Gives those left midway in these seats their state to take along, where that pays and there is
  // room for it. The fuel that this dispatch has run of them. DEVICE_LOST likewise.
  static Result<uint64_t> Export(Device& device, const MovingTerms& terms,
                                 std::span<const uint32_t> of, SeatContents& contents);
  // Seats of instances left midway before a memory.grow that the dispatch has no room for.
  static std::vector<uint32_t> WaitingForMemory(SeatContents& contents);

 private:
  std::vector<uint32_t> arrived_;  // seats
};

}  // namespace wb
