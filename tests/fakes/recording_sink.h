#pragma once

// RecordingSink: keeps all that a job's sink is told, and lets a test wait for it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/scheduler.h"

namespace wb::test {

class RecordingSink final : public ResultSink {
 public:
  explicit RecordingSink(uint64_t room = ~uint64_t{0} >> 1) : room_(room) {}

  // Room left: each result takes one, as with a reader that does not read.
  uint64_t Room() const override;
  uint64_t Reserve(uint64_t instances) override;
  void Release(uint64_t instances) override;
  uint64_t WholeRoom() const override;
  uint64_t Widen(uint64_t instances) override;
  void Narrow(uint64_t instances) override;
  void OnResults(ResultBatch batch) override;
  void OnEnded(const EndedRange& range) override;
  void OnProgress(const JobProgress& progress) override;
  void OnEnd(Status status, bool cancelled, const JobUsage& usage) override;

  void AddRoom(uint64_t room);            // the test tells the scheduler
  void SetWholeRoom(uint64_t instances);  // so many may be widened at a time; likewise
  uint64_t widened();
  uint64_t most_widened();  // at a time, so far
  void AwaitEnd();
  void AwaitResults(uint64_t count);
  // Until a progress report is as the test wants it.
  void AwaitProgress(const std::function<bool(const JobProgress&)>& wanted);

  // After AwaitEnd(): sorted by instance.
  std::vector<InstanceResult> Results();
  Status status();
  bool cancelled();
  JobUsage usage();
  JobProgress progress();
  uint64_t deliveries();
  bool overflowed();  // more results came than had been granted room
  uint64_t reserved();
  uint64_t ranges();  // of instances that ended without a launch
  uint32_t ends();

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  uint64_t room_ WB_GUARDED_BY(mutex_);
  uint64_t reserved_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t whole_room_ WB_GUARDED_BY(mutex_) = ~uint64_t{0} >> 1;
  uint64_t widened_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t most_widened_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t ranges_ WB_GUARDED_BY(mutex_) = 0;
  std::vector<InstanceResult> results_ WB_GUARDED_BY(mutex_);
  JobProgress progress_ WB_GUARDED_BY(mutex_);
  Status status_ WB_GUARDED_BY(mutex_);
  JobUsage usage_ WB_GUARDED_BY(mutex_);
  bool cancelled_ WB_GUARDED_BY(mutex_) = false;
  bool overflowed_ WB_GUARDED_BY(mutex_) = false;
  uint32_t ends_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t deliveries_ WB_GUARDED_BY(mutex_) = 0;
};

}  // namespace wb::test
