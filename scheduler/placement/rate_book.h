#pragma once

// RateBook: what launches have shown of work (a module and what is called of it, JobPlan::work) on
// devices of a kind (KindOf). Bounded; remembers beyond jobs, so that the second job of a kind
// starts where the first one ended. Any thread.

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "scheduler/lru.h"

namespace wb {

// A launch, or several.
struct LaunchSample {
  uint64_t fuel = 0;       // of the instances that ended
  uint64_t instances = 0;  // that ended
  std::chrono::nanoseconds busy{};
  // Of FullWidth lanes, those that had an instance: few instances do not show what a wide device
  // can do.
  double useful = 1;
};

// What is known; 0: nothing.
struct WorkRates {
  double fuel_per_s = 0;  // with all lanes busy
  double fuel_per_instance = 0;
  double setup_s = 0;  // from a job's first turn until its first launch begins, for so many
};

class RateBook {
 public:
  // Older launches count less and less: by half after so many seconds of work.
  static constexpr double kHalfLife = 4;
  static constexpr uint64_t kMostRemembered = 4096;  // works, on all kinds together

  void Note(const Digest& work, const std::string& kind, const LaunchSample& sample);
  // `instances`: that were seated. Memory and seats of many take longer than those of few.
  void NoteSetup(const Digest& work, const std::string& kind, uint64_t instances,
                 std::chrono::nanoseconds took);
  WorkRates Find(const Digest& work, const std::string& kind, uint64_t instances) const;

 private:
  using Setups = std::array<double, 8>;  // by size: each holds 16 times as many as the one before
  static double SetupFor(const Setups& setups, uint64_t instances);

  struct Sums {
    double fuel = 0;
    double seconds = 0;  // of all lanes
    double instances = 0;
    Setups setups{};
  };
  Sums& SumsOf(const Digest& work, const std::string& kind) WB_REQUIRES(mutex_);

  mutable Mutex mutex_;
  mutable Lru<std::pair<Digest, std::string>, Sums> known_ WB_GUARDED_BY(mutex_){kMostRemembered};
};

}  // namespace wb
