#pragma once

// ClaimSpeed: how many instances of a job this host finishes in a second, from when some finished.
// Pure: the caller gives the times, which must not go back; not safe for several threads at once.
//
// Only time in which the host works on the job counts, so that a wait for the database does not
// make it slow. Instances of a launch finish together, seconds or minutes apart: so a few times are
// remembered however old they are, and more while they lie within some seconds.

#include <chrono>
#include <cstdint>
#include <deque>

#include "scheduler/base/clock.h"

namespace wb {

class ClaimSpeed {
 public:
  // Its devices begin to work on the job, or have nothing more of it. In pairs; the second of two
  // alike changes nothing.
  void Begin(TimePoint now);
  void Pause(TimePoint now);
  void Finish(TimePoint now, uint64_t instances);

  // Instances a second; 0: not known yet. While nothing finishes for longer than was measured it
  // falls.
  double PerSecond(TimePoint now) const;

 private:
  struct Sample {
    std::chrono::nanoseconds begun;  // of the time that it worked
    std::chrono::nanoseconds last;
    uint64_t instances;
  };

  std::chrono::nanoseconds Worked(TimePoint now) const;

  bool works_ = false;
  TimePoint since_{};  // it works
  std::chrono::nanoseconds worked_before_{};
  std::chrono::nanoseconds measured_from_{};  // of the time that it worked
  std::deque<Sample> samples_;
};

}  // namespace wb
