#pragma once

// A profile of a job as a message: the job is planned again from the request that is kept of it.

#include "daemon/services/services.h"
#include "wasmburst/v1/profiles.pb.h"

namespace wb {

// Takes as long as the order allows. JOB_TERMINAL: what the job was given is not there any more;
// UNAVAILABLE: this daemon makes no profiles; and Profiler::Run's.
Result<wasmburst::v1::Profile> MakeProfile(const ServiceContext& context, const JobInfo& job,
                                           const ProfileOrder& order);

}  // namespace wb
