#pragma once

// SharedForecast: how fast a job of several daemons runs, and when it ends, from what their commits
// come to: ProgressEstimator's, with a commit in place of a launch and the database's clock. Each
// daemon has its own, of the commits that it has heard of. What instances under way have used is
// not known. Pure; not safe for several threads at once.

#include <chrono>
#include <cstdint>
#include <optional>

#include "daemon/database/shared_store.h"
#include "daemon/store/durable/job_record_text.h"
#include "scheduler/job/active/progress_estimator.h"

namespace wb {

class SharedForecast {
 public:
  // The job as it stands, of so many instances; in the order of its versions.
  void Note(const SharedJob& job, const DurableRecord& record, uint64_t instances);
  // Fills in the speed and the end of a job that runs.
  void Show(JobInfo* info) const;

 private:
  ProgressEstimator estimator_;
  std::optional<JobTotals> seen_;  // unset: it has not begun to run
  int64_t changed_unix_ns_ = 0;
};

}  // namespace wb
