#pragma once

// What a job's request holds in memory, by estimate: containers' own overhead is left out.

#include "daemon/store/job_store.h"

namespace wb {

uint64_t StepBytes(const std::vector<Step>& steps);

// Labels, names, request id: what an ended job keeps, besides its steps.
uint64_t LabelBytes(const JobRequest& request);

// Adds what the job holds besides its columns until it has ended: its steps, as the daemon and the
// scheduler have them, and the module that its parts were linked into, with what was decoded of it.
void AddRequestHolds(const Module& module, JobRequest* request);

}  // namespace wb
