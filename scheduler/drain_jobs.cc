#include "scheduler/drain_jobs.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace wb {
namespace {

// It looks so often for jobs that only a reader could let go on, and waits so long for one.
constexpr std::chrono::milliseconds kPeriod{100};
constexpr std::chrono::seconds kReaderIsGone{1};

// Stops jobs that have been held up for long; since when those are that still are.
std::map<JobId, TimePoint> StopHeldUp(const std::map<JobId, TimePoint>& since,
                                      const JobRegister& jobs, TimePoint now, const StopJob& stop) {
  std::map<JobId, TimePoint> held_up;
  for (const ActiveJobRef& job : jobs.All()) {
    if (!job->HeldUpByReader()) continue;
    const auto known = since.find(job->id);
    const TimePoint began = known == since.end() ? now : known->second;
    held_up.emplace(job->id, began);
    if (now - began >= kReaderIsGone) stop(job);
  }
  return held_up;
}

}  // namespace

void DrainJobs(JobRegister& jobs, Clock& clock, TimePoint until, const StopJob& stop) {
  std::map<JobId, TimePoint> held_up;
  while (clock.Now() < until) {
    if (jobs.AwaitNone(std::min(until, clock.Now() + kPeriod))) return;
    held_up = StopHeldUp(held_up, jobs, clock.Now(), stop);
  }
  for (const ActiveJobRef& job : jobs.All()) stop(job);
  jobs.AwaitNone(TimePoint::max());
}

}  // namespace wb
