#pragma once

// BookedJobStore: what every JobStore that keeps its jobs in a book answers from the book alone.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "daemon/store/job_store.h"
#include "daemon/store/memory/locked_job_book.h"

namespace wb {

class BookedJobStore : public JobStore {
 public:
  JobInfo Publish(const std::string& id) override;
  void Discard(const std::string& id) override;
  Result<JobInfo> Get(const std::string& id) const override;
  JobPage List(const JobFilter& filter, const std::string& after, size_t limit) const override;
  Result<JobInfo> MarkLeaving(const std::string& id) override;
  void StayOn(const std::string& id) override;
  Result<bool> Acknowledge(const std::string& id, uint64_t position) override;
  Result<std::shared_ptr<void>> Subscribe(const std::string& id,
                                          std::function<void()> changed) override;
  JobStoreFigures Figures() const override;

 protected:
  // As JobBook's.
  BookedJobStore(const JobStoreLimits& limits, std::function<int64_t()> now,
                 std::shared_ptr<StoreMetrics> metrics)
      : book_(limits, std::move(now), std::move(metrics)) {}

  LockedJobBook book_;
};

}  // namespace wb
