#pragma once

// LaunchTally: what launches of a pipeline came to together: fuel, and time counted in two ways.
// Pure.
//
// Launches that run abreast run side by side, or one after the other where registers allow for the
// lanes of one only, and nothing says which. If one after the other, a launch took the time since
// the one before it completed; if side by side, its part of its time in flight. In sums over
// launches that last alike these come to the same. Where they do not (jobs begin and end in
// between), the rate lies between lowest() and highest().

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace wb {

// What a launch showed, with the occupancy of its OccupancyTuner::Wish.
struct OccupancyLaunch {
  uint32_t lanes = 0;               // of its dispatch
  uint32_t abreast = 1;             // launches that fill the device together
  double fuel = 0;                  // that it ran
  std::chrono::nanoseconds busy{};  // the device, from when the one before it had completed
  std::chrono::nanoseconds air{};   // the device, from when it began
  uint32_t round = 0;               // as its Wish said
  bool alone = false;               // no other was in flight when it began
  // The lanes that take seats had one nearly all the time, and hardly any other lane had.
  bool full = false;
};

class LaunchTally {
 public:
  static constexpr std::chrono::nanoseconds kLeastTime = std::chrono::milliseconds(20);
  static constexpr double kAlike = 0.05;  // so much may the two times differ

  void Add(const OccupancyLaunch& launch);

  uint32_t launches() const { return launches_; }
  bool IsLong() const;  // long enough to show anything: kLeastTime, one after the other
  bool IsSure() const;  // both times come to the same
  // Instructions a second, of some time.
  double rate() const { return fuel_ * 2 / (in_turn_ + side_by_side_); }
  double lowest() const { return fuel_ / std::max(in_turn_, side_by_side_); }
  double highest() const { return fuel_ / std::min(in_turn_, side_by_side_); }

 private:
  double fuel_ = 0;
  double in_turn_ = 0, side_by_side_ = 0;  // seconds, if they ran in such a way
  uint32_t launches_ = 0;
};

}  // namespace wb
