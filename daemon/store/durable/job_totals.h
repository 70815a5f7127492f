#pragma once

// JobTotals: what the stored results of a job come to. Pure.

#include <cstdint>

#include "daemon/store/job_store.h"
#include "scheduler/job/result_batch.h"

namespace wb {

struct JobTotals {
  JobCounts counts;  // `finished` is the position after the last result
  uint64_t fuel = 0;
  double fuel_squares = 0;    // the sum of the squares of instances' fuel
  uint64_t longest_fuel = 0;  // of one of them
  uint64_t result_bytes = 0;  // as ResultBatch::bytes

  void Add(const ResultBatch& results);
  void Add(const EndedRange& range);
  void Add(const JobTotals& more);
};

}  // namespace wb
