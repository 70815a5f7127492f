#pragma once

// RateBook: what launches have shown of work (a module and what is called of it, JobPlan::work) on
// devices of a kind (RateKind), for jobs of about as many instances: the few lanes of a small one
// may each be much quicker than those of a full device. Bounded; remembers beyond jobs, so that the
// second job of a kind starts where the first one ended. Any thread.

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "scheduler/base/lru.h"
#include "scheduler/devices/kernel_build.h"

namespace wb {

// A launch, or several.
struct LaunchSample {
  uint64_t ran = 0;        // fuel, of all instances that sat there
  uint64_t instances = 0;  // that ended
  uint64_t fuel = 0;       // theirs, from their beginning
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

// The name under which rates of devices of a kind (KindOf) are kept: a quick build is not as fast
// as a full one.
std::string RateKind(const std::string& kind, KernelBuild build);

class RateBook {
 public:
  // Older launches count less and less: by half after so many seconds of work.
  static constexpr double kHalfLife = 4;
  static constexpr uint64_t kMostRemembered = 4096;  // works, on all kinds together

  // `instances`: that the job has to run.
  void Record(const Digest& work, const std::string& kind, uint64_t instances,
              const LaunchSample& sample);
  // `instances`: that were seated. Memory and seats of many take longer than those of few.
  void RecordSetup(const Digest& work, const std::string& kind, uint64_t instances,
                   std::chrono::nanoseconds took);
  // `instances`: likewise; `waiting`: of them, those that the device would be set up for.
  WorkRates Find(const Digest& work, const std::string& kind, uint64_t instances,
                 uint64_t waiting) const;

 private:
  // By size: each holds 16 times as many as the one before.
  template <typename Each>
  using BySize = std::array<Each, 8>;
  struct Sums {
    double ran = 0;
    double seconds = 0;  // of all lanes
    double instances = 0;
    double fuel = 0;
    bool HasRate() const { return ran > 0 && seconds > 0; }
    bool HasLength() const { return instances > 0; }
  };
  struct Known {
    BySize<Sums> sums{};
    BySize<double> setups{};
  };
  static double SetupFor(const BySize<double>& setups, uint64_t instances);
  using Knows = bool (Sums::*)() const;
  static const Sums* SumsFor(const BySize<Sums>& sums, uint64_t instances, Knows knows);
  Known& KnownOf(const Digest& work, const std::string& kind) WB_REQUIRES(mutex_);

  mutable Mutex mutex_;
  mutable Lru<std::pair<Digest, std::string>, Known> known_ WB_GUARDED_BY(mutex_){kMostRemembered};
};

}  // namespace wb
