#include "daemon/profiles/job_profiles.h"

#include <algorithm>
#include <utility>

#include "daemon/process/log.h"
#include "daemon/profiles/make_profile.h"
#include "daemon/store/names.h"

namespace wb {

namespace v1 = wasmburst::v1;
using std::chrono::nanoseconds;

nanoseconds TimeOfProfile(const JobUsage& usage, const ProfileLimits& limits) {
  const auto share = static_cast<int64_t>(limits.share_percent);
  const nanoseconds whole = usage.device_time / 100 * share;
  // The rest is for what is late: the instance under way, the process' end, the message.
  return std::min<nanoseconds>(whole / 10 * 7, limits.time);
}

void JobProfiles::Watch(const JobInfo& job) {
  if (job.request->profile_instances == 0 || context_.profiler == nullptr) return;
  MutexLock lock(mutex_);
  watched_.insert(job.id);
}

bool JobProfiles::Tick() {
  const JobStore& store = context_.intake->store();
  kept_->Forget([&store](const std::string& job) {
    const Result<std::string> id = ParseJobName(job);
    return id.ok() && store.Get(*id).ok();
  });
  MutexLock lock(mutex_);
  if (making_ || watched_.empty()) return false;
  return making_ = true;
}

std::optional<JobInfo> JobProfiles::TakeEnded() {
  MutexLock lock(mutex_);
  for (auto at = watched_.begin(); at != watched_.end();) {
    Result<JobInfo> job = context_.intake->store().Get(*at);
    const bool stays = job.ok() && !IsTerminal(job->state);
    at = stays ? std::next(at) : watched_.erase(at);
    if (job.ok() && !stays) return std::move(job).value();
  }
  return std::nullopt;
}

void JobProfiles::MakeOf(const JobInfo& job) const {
  ProfileOrder order;
  order.instances = job.request->profile_instances;
  order.loops = true;  // who reads it may leave them out
  order.time = TimeOfProfile(job.usage, context_.profiler->limits());
  const Result<v1::Profile> profile = MakeProfile(context_, job, order);
  const Status status = profile.ok() ? kept_->Put(*profile) : profile.status();
  if (status.ok()) return;
  Log(LogLevel::kWarning, "profile_not_made", {{"job", job.id}, {"error", status.message()}});
}

void JobProfiles::Make() {
  if (const std::optional<JobInfo> job = TakeEnded()) MakeOf(*job);
  MutexLock lock(mutex_);
  making_ = false;
}

}  // namespace wb
