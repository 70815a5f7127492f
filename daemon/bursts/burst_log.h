#pragma once

// BurstLog: the ring of bursts that devices add to and streams read. Threads: any.

#include <functional>
#include <memory>
#include <string>

#include "compiler/base/mutex.h"
#include "daemon/bursts/burst_ring.h"
#include "daemon/store/job_listeners.h"
#include "scheduler/bursts/scheduler_observer.h"

namespace wb {

class BurstLog final : public SchedulerObserver {
 public:
  // `now`: Unix time in nanoseconds.
  explicit BurstLog(std::function<int64_t()> now, size_t kept = BurstRing::kKept)
      : now_(std::move(now)), ring_(kept) {}

  void OnBurst(const BurstRecord& burst) override;
  void OnBuild(const BuildRecord&) override {}

  BurstRing::Page Read(const BurstPlace& after, const std::string& device, size_t most) const;
  BurstPlace Begin() const;
  bool Has(const std::string& device) const;  // bursts of it
  // `added` is called after each burst until the handle is dropped, on the device's thread: it only
  // posts.
  std::shared_ptr<void> Subscribe(std::function<void()> added);

 private:
  const std::function<int64_t()> now_;
  const std::shared_ptr<JobListeners> listeners_ = std::make_shared<JobListeners>();
  mutable Mutex mutex_;
  BurstRing ring_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
