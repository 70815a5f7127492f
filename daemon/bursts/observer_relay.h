#pragma once

// ObserverRelay: tells others what the scheduler tells it. The scheduler is made before them.
// Threads: any; those told are called without its lock.

#include <memory>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/bursts/scheduler_observer.h"

namespace wb {

class ObserverRelay final : public SchedulerObserver {
 public:
  void Add(std::shared_ptr<SchedulerObserver> observer) {
    MutexLock lock(mutex_);
    observers_.push_back(std::move(observer));
  }
  void OnBurst(const BurstRecord& burst) override {
    for (const auto& observer : All()) observer->OnBurst(burst);
  }
  void OnBuild(const BuildRecord& build) override {
    for (const auto& observer : All()) observer->OnBuild(build);
  }

 private:
  std::vector<std::shared_ptr<SchedulerObserver>> All() const {
    MutexLock lock(mutex_);
    return observers_;
  }

  mutable Mutex mutex_;
  std::vector<std::shared_ptr<SchedulerObserver>> observers_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
