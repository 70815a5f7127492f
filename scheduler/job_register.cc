#include "scheduler/job_register.h"

#include "scheduler/base/quoted.h"

namespace wb {

Status JobRegister::Add(const ActiveJobRef& job, const TenantSettings& its) {
  const std::string& tenant = job->plan.spec.tenant;
  const uint64_t instance_bytes = uint64_t{job->plan.max_pages} * abi::PAGE_BYTES;
  MutexLock lock(mutex_);
  if (draining_) return Status(Reason::kDraining, "The daemon is ending and takes no more jobs.");
  if (jobs_.size() >= max_jobs_) {
    return Status(Reason::kQueueFull, "There are [" + std::to_string(jobs_.size()) +
                                          "] jobs already, as many as are accepted.");
  }
  const auto known = of_tenants_.find(tenant);
  const uint64_t of_tenant = known == of_tenants_.end() ? 0 : known->second;
  WB_TRY(CheckTenant(tenant, its, of_tenant, instance_bytes));
  if (!jobs_.emplace(job->id, job).second) {
    return Status(Reason::kInvalidArgument, "There is a job " + Quoted(job->id) + " already.",
                  {{"field", "id"}});
  }
  ++of_tenants_[tenant];
  return {};
}

void JobRegister::Remove(JobId id) {
  {
    MutexLock lock(mutex_);
    const auto job = jobs_.find(id);
    if (job == jobs_.end()) return;
    const auto its = of_tenants_.find(job->second->plan.spec.tenant);
    if (--its->second == 0) of_tenants_.erase(its);
    jobs_.erase(job);
  }
  changed_.NotifyAll();
}

void JobRegister::StopAdmitting() {
  MutexLock lock(mutex_);
  draining_ = true;
}

ActiveJobRef JobRegister::Of(JobId id) const {
  MutexLock lock(mutex_);
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : found->second;
}

std::vector<ActiveJobRef> JobRegister::All() const {
  std::vector<ActiveJobRef> jobs;
  MutexLock lock(mutex_);
  for (const auto& [id, job] : jobs_) jobs.push_back(job);
  return jobs;
}

bool JobRegister::AwaitNone(TimePoint until) {
  MutexLock lock(mutex_);
  while (!jobs_.empty() && clock_.Now() < until) clock_.WaitUntil(mutex_, changed_, until);
  return jobs_.empty();
}

}  // namespace wb
