#pragma once

// Why a job does not run now, as clients see it. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/store/job_store.h"
#include "scheduler/job/waits.h"

namespace wasmburst::v1 {
class Job;
}  // namespace wasmburst::v1

namespace wb {

// `active`: jobs that have not ended, for their names. `held`: the job; what it says
// of being held by results takes the place of the scheduler's words for WaitCause::kReader.
void WaitsToProto(const std::vector<WaitReason>& waits, const std::vector<JobInfo>& active,
                  int64_t unix_now_ns, const JobInfo& held, wasmburst::v1::Job* proto);

}  // namespace wb
