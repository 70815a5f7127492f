#pragma once

// A job as a client asked for it, before its module is known.

#include <vector>

#include "daemon/store/job_store.h"
#include "scheduler/job/job.h"

namespace wb {

struct ParsedJob {
  JobRequest request;  // without module, request id and body; holds what its columns hold
  std::vector<Column> columns;
};

}  // namespace wb
