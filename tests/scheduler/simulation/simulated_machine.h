#pragma once

// SimulatedMachine: a device with its clock, its heat and its faults, and jobs that come to it,
// under the scheduler's own rules (fair queue, slice controller, thermal governor, backlog), put
// together as DeviceLoop does. No threads and no time: hours take milliseconds, and a seed gives
// the same hours.

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/control/fair_queue.h"
#include "scheduler/control/slice_controller.h"
#include "scheduler/control/thermal_governor.h"
#include "scheduler/job/backlog.h"
#include "tests/scheduler/simulation/simulated_work.h"

namespace wb::test {

struct MachineShape {
  ThermalSettings thermal;
  bool thermometer = true;
  double ambient = 25;            // degrees
  double degrees_per_watt = 0.1;  // above it, in the end
  double seconds_to_warm = 40;    // time constant
  double idle_watts = 70;
  double busy_watts = 650;
  double limit_watts = 700;
  double losses_per_hour = 0;  // of work; each takes what was seated with it
};

struct JobShape {
  FairShare share;
  uint64_t instances = 1;
  WorkShape work;
};

struct SimulatedJob {
  JobShape shape;
  TimePoint came{};
  TimePoint ended{};                // {} while it is here
  uint32_t turns_before_first = 0;  // of others, after it came
  uint32_t turns = 0;
  double seconds = 0;            // of the device
  std::vector<uint8_t> results;  // of each instance
  bool IsEnded() const { return ended != TimePoint(); }
};

// What the device did up to `seconds` from its beginning.
struct Moment {
  double seconds;
  double celsius;
  double watts;
  int job;  // that it worked for; -1: rest, -2: nothing to do
};

class SimulatedMachine {
 public:
  SimulatedMachine(const MachineShape& shape, uint64_t seed);

  size_t Submit(const JobShape& shape);
  // To `end`; `arrive` is called with the time before each turn and may Submit().
  void RunUntil(
      TimePoint end, const std::function<void(TimePoint)>& arrive = [](TimePoint) {});

  TimePoint now() const { return now_; }
  const SimulatedJob& job(size_t number) const;
  size_t jobs() const { return jobs_.size(); }
  const std::vector<Moment>& trace() const { return trace_; }
  const std::vector<double>& overshoots() const { return overshoots_; }  // shares of a burst
  double hottest() const { return hottest_; }
  double joules() const { return joules_; }
  double worked() const { return worked_; }  // seconds
  double longest_rest() const { return longest_rest_; }
  uint32_t losses() const { return losses_; }

  static constexpr TimePoint kBegin{std::chrono::hours(1)};

 private:
  struct Running;

  void Turn(Running& job);
  void Pass(std::chrono::nanoseconds time, double watts, int job);
  void Sample();
  void Finish(Running& job, uint64_t count);
  bool IsLost(double seconds);

  const MachineShape shape_;
  std::mt19937_64 random_;
  TimePoint now_ = kBegin;
  TimePoint sampled_{};
  ThermalGovernor governor_;
  FairQueue<size_t> queue_;
  std::vector<std::shared_ptr<Running>> jobs_;
  uint64_t turns_ = 0;
  double celsius_;
  double watts_;  // drawn of late
  double hottest_ = 0, joules_ = 0, worked_ = 0, longest_rest_ = 0, resting_ = 0;
  uint32_t losses_ = 0;
  std::vector<Moment> trace_;
  std::vector<double> overshoots_;
};

}  // namespace wb::test
