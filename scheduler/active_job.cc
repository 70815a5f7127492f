#include "scheduler/active_job.h"

namespace wb {

void ActiveJob::Deliver(std::vector<InstanceResult> results) {
  if (results.empty()) return;
  for (const InstanceResult& result : results) progress.usage.fuel += result.fuel;
  progress.finished += results.size();
  sink->OnResults(std::move(results));
}

}  // namespace wb
