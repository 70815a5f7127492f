#pragma once

// A job as it was given, to run an instance of it again.

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "daemon/services/services.h"
#include "scheduler/job/job_plan.h"

namespace wb {

// `request`: SentRequest::whole. NOT_FOUND names the module or input that is not there any more.
Result<JobPlan> PlanOfRequest(const ServiceContext& context, ByteView request);

}  // namespace wb
