#pragma once

// How a scheduler's jobs end when the daemon stops.

#include <functional>

#include "scheduler/base/clock.h"
#include "scheduler/job_register.h"

namespace wb {

using StopJob = std::function<void(const ActiveJobRef& job)>;

// Waits until `until` for the jobs to end; stops earlier those that only a reader could let go on
// and that have waited for a second, and then all that are left. Returns when there is none. The
// register admits none meanwhile.
void DrainJobs(JobRegister& jobs, Clock& clock, TimePoint until, const StopJob& stop);

}  // namespace wb
