#pragma once

// JobRegister: the jobs that a scheduler has, by id, and how many of them each tenant has.
//
// Threads: every method from any thread; no other lock is taken with this one's.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "scheduler/base/clock.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/job/tenants.h"

namespace wb {

class JobRegister {
 public:
  // The clock outlives this.
  JobRegister(Clock& clock, uint32_t max_jobs) : clock_(clock), max_jobs_(max_jobs) {}

  // `its`: of the job's tenant. DRAINING, QUEUE_FULL, CheckTenant's; INVALID_ARGUMENT: the id is
  // taken.
  Status Add(const ActiveJobRef& job, const TenantSettings& its);
  void Remove(JobId id);
  void StopAdmitting();  // Add refuses from now on

  ActiveJobRef Of(JobId id) const;  // null: unknown, or removed
  std::vector<ActiveJobRef> All() const;
  bool AwaitNone(TimePoint until);  // false: there are some then

 private:
  Clock& clock_;
  const uint32_t max_jobs_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::map<JobId, ActiveJobRef> jobs_ WB_GUARDED_BY(mutex_);
  std::map<std::string, uint64_t> of_tenants_ WB_GUARDED_BY(mutex_);
  bool draining_ WB_GUARDED_BY(mutex_) = false;
};

}  // namespace wb
