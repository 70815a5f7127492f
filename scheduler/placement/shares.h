#pragma once

// How one job's instances are shared between devices that work at the same time, and when it will
// have ended. Pure.
//
// A device runs as many instances at once as it has lanes, each for `lane_time`, round after round
// once it is set up; the instances seated there come first. The job ends at the earliest time by
// which all devices together have ended all of it; each gets what it has ended by then. So shares
// follow measured rates, the tail goes where it ends first, and more devices never end later than
// fewer. Of what equal devices get together each has as much as the others, seated instances
// included: rounds are a coarse measure of a device with many lanes.

#include <cstdint>
#include <span>
#include <vector>

namespace wb {

struct Worker {
  double lanes = 1;      // instances that it runs at once
  double lane_time = 0;  // seconds of one of them; 0: it does nothing
  double setup = 0;      // seconds until it starts
  uint64_t seated = 0;   // instances that it has already
  double age = 0;        // seconds since they were seated, on average

  bool Works() const { return lane_time > 0; }
  // Seconds that running instances are expected to need still; one that is overdue, as long again
  // as it is.
  double Rest() const;
  double EndOfSeated() const;
  // Of the waiting instances, how many it can have ended by then.
  double EndedBy(double time) const;
};

// Seconds until all waiting and all seated instances have ended, none taken out of a seat.
// Infinite where no device runs any.
double TimeToEnd(std::span<const Worker> workers, uint64_t waiting);

// How many of the waiting instances each may seat. Together at least all of them.
std::vector<uint64_t> ShareOut(std::span<const Worker> workers, uint64_t waiting);

// Whether the instances seated at `straggler` would end clearly sooner at the others, no other
// being left. `part`: of a whole instance's time, what they need there; 1 if they start again.
bool IsStraggler(std::span<const Worker> workers, size_t straggler, uint64_t waiting,
                 double part = 1);

}  // namespace wb
