// JobCoordinator: why jobs wait here, for others to see.

#include <utility>

#include "scheduler/dispatch/job_coordinator.h"

namespace wb {

// The time counts from when it began to wait for this.
void JobCoordinator::RecordWait(const ActiveJobRef& job, std::string compiler,
                                const DeviceLoop* device) {
  MutexLock lock(mutex_);
  Wait& wait = waits_[job];
  if (wait.compiler != compiler || wait.compiler.empty()) wait.since = time_.clock.Now();
  wait.compiler = std::move(compiler);
  wait.device = device;
}

void JobCoordinator::LetGo(const ActiveJobRef& job) {
  held_.erase(job);
  MutexLock lock(mutex_);
  waits_.erase(job);
}

std::vector<WaitReason> JobCoordinator::WaitsOf(const ActiveJobRef& job) const {
  std::vector<WaitReason> waits;
  const DeviceLoop* device = nullptr;
  {
    MutexLock lock(mutex_);
    const auto standing = starts_.Of(job);
    if (standing.waits) {
      waits.push_back(WaitForTenant(job->plan.spec.tenant, standing.under_way, standing.before));
    }
    if (const auto wait = waits_.find(job); wait != waits_.end()) {
      device = wait->second.device;
      if (!wait->second.compiler.empty()) {
        const auto waited = time_.clock.Now() - wait->second.since;
        waits.push_back(WaitForCompiler(wait->second.compiler, waited));
      }
    }
  }
  if (device == nullptr) return waits;
  for (WaitReason& reason : device->Waits()) waits.push_back(std::move(reason));
  return waits;
}

}  // namespace wb
