#pragma once

// JobTotals: what the stored results of a job come to. Pure.

#include <cstdint>

#include "daemon/store/job_store.h"
#include "scheduler/job/result_batch.h"

namespace wb {

struct JobTotals {
  JobCounts counts;  // `finished` is the position after the last result
  uint64_t fuel = 0;
  uint64_t result_bytes = 0;  // as ResultBatch::bytes

  void Add(const ResultBatch& results);
  void Add(const EndedRange& range);
  void Add(const JobTotals& more);
};

}  // namespace wb
