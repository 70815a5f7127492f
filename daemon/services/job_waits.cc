#include "daemon/services/job_waits.h"

#include <algorithm>

#include "daemon/store/names.h"
#include "daemon/translate/translate_time.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

constexpr int kMostJobsShown = 10;

}  // namespace

void WaitsToProto(const std::vector<WaitReason>& waits, const std::vector<JobInfo>& active,
                  int64_t unix_now_ns, const JobInfo& held, wasmburst::v1::Job* proto) {
  for (const WaitReason& reason : waits) {
    wasmburst::v1::WaitReason* shown = proto->add_waits();
    const bool is_held = reason.cause == WaitCause::kReader && !held.held_by_results.empty();
    const bool by_others = is_held && held.held_by_others;
    shown->set_cause(
        std::string(WaitCauseName(by_others ? WaitCause::kOtherReaders : reason.cause)));
    shown->set_message(is_held ? held.held_by_results : reason.words);
    if (reason.left) TimeToProto(unix_now_ns + reason.left->count(), shown->mutable_until());
    for (const JobId number : reason.jobs) {
      const auto job = std::find_if(active.begin(), active.end(), [number](const JobInfo& info) {
        return info.number == number;
      });
      if (job != active.end() && shown->jobs_size() < kMostJobsShown) {
        shown->add_jobs(JobName(job->id));
      }
    }
  }
}

}  // namespace wb
