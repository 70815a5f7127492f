#pragma once

// BurstRecord: a burst of a device that has ended. Plain values.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/control/thermal_governor.h"
#include "scheduler/devices/kernel_build.h"
#include "scheduler/job/job_progress.h"

namespace wb {

enum class BurstEnd : uint8_t {
  kFull,     // its time was over
  kHot,      // it was too warm before that
  kIdle,     // nothing was left to launch
  kLost,     // the device died
  kClosed,   // a cordon or a drain
  kStopped,  // the scheduler ends
};
std::string_view BurstEndName(BurstEnd end);  // "full"
// "cooldown"; of kNone "idle": what lay between two bursts was no rest.
std::string_view RestCauseName(RestCause cause);

// A job's part in a burst.
struct BurstShare {
  JobId job = 0;
  std::string name;        // JobSpec::name
  std::string tenant;      // JobSpec::tenant
  uint64_t instances = 0;  // that ended
  uint64_t fuel = 0;       // that its instances ran
  uint64_t launches = 0;
  std::chrono::nanoseconds busy{};         // its part of the time in launches
  KernelBuild build = KernelBuild::kNone;  // that ran it last
};

struct BurstRecord {
  static constexpr size_t kMostShares = 64;

  std::string device;
  uint64_t number = 0;                     // of the device, from 1
  std::chrono::nanoseconds since_start{};  // from its start to when the observer is told
  std::chrono::nanoseconds duration{};     // from the first launch's begin to the last one's end
  std::chrono::nanoseconds busy{};         // in launches; more where these overlap
  uint64_t launches = 0;
  uint64_t instances = 0;                               // that ended
  uint64_t fuel = 0;                                    // that instances ran
  std::optional<std::chrono::nanoseconds> rest_before;  // unset: it is the device's first
  RestCause rest_before_cause = RestCause::kNone;
  std::chrono::nanoseconds rest_after{};  // as it was due at the end, at most
  RestCause rest_after_cause = RestCause::kNone;
  BurstEnd end = BurstEnd::kIdle;
  uint64_t jobs = 0;
  std::vector<BurstShare> shares;  // of the first kMostShares of them
  double lanes_resident = 0;       // on average by the time of launches
  double lanes_useful = 0;         // of these, that had an instance when a launch began
  std::optional<float> celsius;    // at the end
  std::optional<float> watts;
};

}  // namespace wb
