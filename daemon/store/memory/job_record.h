#pragma once

// What the store in memory keeps of one job.

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "daemon/store/job_listeners.h"
#include "daemon/store/job_store.h"
#include "daemon/store/memory/job_results.h"

namespace wb {

struct JobRecord {
  JobInfo info;
  bool published = false;
  bool leaving = false;  // JobStore::MarkLeaving
  std::unique_ptr<JobResults> results;
  uint64_t kept_request_bytes = 0;  // of an ended job
  std::shared_ptr<JobListeners> listeners = std::make_shared<JobListeners>();
};

using JobRecords = std::map<std::string, JobRecord>;  // by id, hence by time

}  // namespace wb
