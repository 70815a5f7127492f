// JobDesk: what the clock brings: limits of time of jobs that wait here for a compiler or a device.

#include <algorithm>
#include <vector>

#include "scheduler/job_desk.h"

namespace wb {
namespace {

constexpr uint64_t kEndedAtOnce = 4096;
// A reader that has left no room is looked at again.
constexpr std::chrono::milliseconds kRoomPeriod{50};

}  // namespace

void JobDesk::WatchTime(const ActiveJobRef& job) {
  if (const auto deadline = job->deadline()) time_.wake_by(*deadline);
}

void JobDesk::TimeHasCome() {
  EndOverdue();
  ReviewPutOff();
}

void JobDesk::EndOverdue() {
  const TimePoint now = time_.clock.Now();
  const std::vector<ActiveJobRef> held(held_.begin(), held_.end());
  for (const ActiveJobRef& job : held) {
    if (!job->IsOver(now)) {
      WatchTime(job);
      continue;
    }
    job->EndOver(kEndedAtOnce);
    if (job->AllFinished()) {
      End(job, {});
    } else {
      time_.wake_by(now + (job->Room() > 0 ? std::chrono::milliseconds(0) : kRoomPeriod));
    }
  }
}

}  // namespace wb
