#pragma once

// BurstRecorder: the launches of one device, put together to bursts. Pure; one thread.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scheduler/base/clock.h"
#include "scheduler/bursts/burst_record.h"
#include "scheduler/sensors/telemetry.h"

namespace wb {

// A launch that has completed. The strings outlive the call.
struct BurstLaunch {
  struct Part {
    JobId job = 0;
    const std::string* name = nullptr;
    const std::string* tenant = nullptr;
    uint64_t instances = 0;
    uint64_t fuel = 0;
    std::chrono::nanoseconds busy{};
  };
  TimePoint end{};
  std::chrono::nanoseconds busy{};
  uint64_t lanes = 0;   // that had memory
  uint64_t seated = 0;  // instances in them when it began
  KernelBuild build = KernelBuild::kNone;
  std::vector<Part> parts;
};

class BurstRecorder {
 public:
  // `longest`: work in a burst.
  BurstRecorder(std::string device, std::chrono::nanoseconds longest)
      : device_(std::move(device)), longest_(longest) {}

  void Record(const BurstLaunch& launch);
  bool is_open() const { return burst_.launches > 0; }
  // Its time is over, as ThermalGovernor has it: next to nothing of it is left.
  bool IsFull() const { return is_open() && burst_.busy >= longest_ - longest_ / 100; }

  struct Ending {
    BurstEnd end = BurstEnd::kIdle;
    Rest rest;  // due now; kNone: none
    Telemetry telemetry;
  };
  // The burst is over; nothing where none has begun.
  std::optional<BurstRecord> End(const Ending& ending, TimePoint now);

 private:
  void Add(const BurstLaunch::Part& part, KernelBuild build);

  const std::string device_;
  const std::chrono::nanoseconds longest_;
  BurstRecord burst_;  // the one that has begun
  TimePoint begin_{};
  TimePoint end_{};  // of its last launch
  // Sums over launches, each by its time.
  double weight_ = 0;
  double resident_ = 0;                       // lanes that had memory
  double useful_ = 0;                         // those that had an instance
  std::unordered_map<JobId, size_t> places_;  // of jobs in `shares`; kMostShares: none
  // Of the burst before.
  uint64_t number_ = 0;
  TimePoint last_end_{};
  RestCause last_rest_ = RestCause::kNone;
};

}  // namespace wb
