#pragma once

// MemoryJobStore: a JobStore in memory alone (job_book.h). What it holds is lost with the process.
// Threads: as JobStore.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "daemon/store/memory/booked_job_store.h"

namespace wb {

class MemoryJobStore : public BookedJobStore {
 public:
  // `now`: nanoseconds of Unix time; given so that tests own the clock. `metrics`: none, if null.
  MemoryJobStore(const JobStoreLimits& limits, std::function<int64_t()> now,
                 std::shared_ptr<StoreMetrics> metrics = nullptr);

  bool Has(const std::string& id) const;  // published or not

  Result<Created> Create(JobRequest request) override;
  Result<JobInfo> MarkCancelling(const std::string& id) override;
  Result<JobInfo> MarkResumed(const std::string& id, std::optional<Placement> placement) override;
  Status Delete(const std::string& id) override;
  Result<std::string> KeptRequest(const std::string& id) const override;
  std::shared_ptr<ResultSink> SinkOf(const std::string& id) override;
  Result<ResultRow> Read(const std::string& id, uint64_t position, ReadBound bound) const override;
  void Expire() override;
};

}  // namespace wb
