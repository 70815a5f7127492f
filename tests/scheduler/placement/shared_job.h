#pragma once

// A job on simulated devices that take instances as the shares of scheduler/placement say: lanes
// that each run one instance after the other, at rates that the shares know only more or less.

#include <cstdint>
#include <utility>
#include <vector>

#include "scheduler/placement/shares.h"

namespace wb::test {

struct SimulatedDevice {
  uint32_t lanes = 1;
  double lane_time = 1;  // seconds of an instance of average length
  double setup = 0;      // seconds
  double belief = 1;     // what the shares take its rate for, of the true one
};

struct LaneSpan {
  size_t device;
  double begin;  // seconds
  double end;
};

struct SharedJobEnd {
  double seconds = 0;
  uint64_t ended = 0;
  std::vector<uint64_t> by_device;
  std::vector<LaneSpan> spans;
};

// `lengths`: of the instances, of the average one. Deterministic.
SharedJobEnd RunShared(const std::vector<SimulatedDevice>& devices,
                       const std::vector<double>& lengths);

}  // namespace wb::test
