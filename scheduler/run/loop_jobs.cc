#include "scheduler/run/loop_jobs.h"

#include <algorithm>
#include <utility>

namespace wb {

bool LoopJobs::Has(const DeviceJob& job) const {
  return std::any_of(jobs_.begin(), jobs_.end(),
                     [&](const auto& candidate) { return candidate.get() == &job; });
}

DeviceJob* LoopJobs::Find(const ActiveJobRef& job) const {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& candidate) {
    return candidate->job() == job && !candidate->state().IsEnded();
  });
  return found == jobs_.end() ? nullptr : found->get();
}

void LoopJobs::Add(std::unique_ptr<DeviceJob> job, TimePoint now) {
  const JobSpec& spec = job->job()->plan.spec;
  queue_.Add(job.get(), {spec.tenant, job->job()->tenant.weight, spec.priority}, now);
  jobs_.push_back(std::move(job));
}

DeviceJob* LoopJobs::NextTurn(TimePoint now, bool may_launch) {
  for (const auto& job : jobs_) {
    const bool is_over = job->state().IsEnded() || job->state().IsExpired(now);
    if (is_over && job->CanGo(now)) return job.get();
  }
  if (!may_launch) return nullptr;
  const auto can_go = [&](DeviceJob* job) {
    if (job->CanGo(now)) return true;
    job->state().StartClockIfHeldUp(now);
    return false;
  };
  return queue_.Next(now, can_go).value_or(nullptr);
}

TimePoint LoopJobs::NextDeadline(TimePoint now) const {
  TimePoint next = TimePoint::max();
  for (const auto& job : jobs_) {
    const auto deadline = job->job()->limits.deadline();
    if (deadline && *deadline > now) next = std::min(next, *deadline);
    if (job->delay().until() > now) next = std::min(next, job->delay().until());
  }
  return next;
}

void LoopJobs::SetClosed(bool closed) {
  for (const auto& job : jobs_) job->state().closed = closed;
}

void LoopJobs::PublishTaking(bool takes) const {
  for (const auto& job : jobs_) {
    job->job()->SetTaking(job->state().device, takes);
    PublishCompleted(job->job());
  }
}

void LoopJobs::PublishCompleted(const ActiveJobRef& job) const {
  if (job->devices() > 1 || job->unsettled) events_.completed(job);
}

void LoopJobs::PublishWait(const std::string& words) const {
  for (const auto& job : jobs_) {
    if (job->in_flight()) continue;
    job->job()->Publish([&](JobProgress& progress) { progress.waiting_for = words; });
  }
}

Departure LoopJobs::Release(DeviceJob& job) {
  Departure departure{job.job(), job.state().device, job.state().prepared.key};
  queue_.Remove(&job);
  jobs_.erase(std::find_if(jobs_.begin(), jobs_.end(),
                           [&](const auto& candidate) { return candidate.get() == &job; }));
  inbox_.Left(departure.job);
  departure.job->Leave(departure.device);
  return departure;
}

void LoopJobs::End(DeviceJob& job) { events_.ended(Release(job)); }

void LoopJobs::GiveBack(DeviceJob& job, GivenBack why, const Status& status) {
  events_.given_back(Release(job), why, status);
}

}  // namespace wb
