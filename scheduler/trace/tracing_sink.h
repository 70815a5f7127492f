#pragma once

// TracingSink: between a job and its sink. It holds back the results of the first traps (as many
// as ReplayLimits::per_job) until their backtraces are made, and the job's end with them, so that a
// reader finds them there always. All else passes at once.
//
// Threads: as a ResultSink; the sink behind it is called by the tracer's thread too, one call at a
// time.

#include <memory>
#include <optional>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/job/forwarding_sink.h"
#include "scheduler/trace/tracer.h"

namespace wb {

class TracingSink : public ForwardingSink, public std::enable_shared_from_this<TracingSink> {
 public:
  // `tracer` outlives it, up to its last call of Done.
  TracingSink(std::shared_ptr<ResultSink> behind, Tracer& tracer);

  // Before the first result. The plan is the job's, which need not outlive its last result.
  void Begin(std::weak_ptr<const JobPlan> plan) { plan_ = std::move(plan); }

  void OnResults(ResultBatch results) override;
  void OnEnded(const EndedRange& range) override;
  void OnProgress(const JobProgress& progress) override;
  void OnEnd(Status status, bool cancelled, const JobUsage& usage) override;

 private:
  struct EndCall {
    Status status;
    bool cancelled = false;
    JobUsage usage;
  };

  // True: the result comes later.
  bool HoldBack(InstanceResult& result) WB_REQUIRES(mutex_);
  void Traced(const std::shared_ptr<InstanceResult>& result,
              Result<std::vector<TraceFrame>> frames);

  Tracer& tracer_;
  std::weak_ptr<const JobPlan> plan_;
  Mutex mutex_;
  uint64_t begun_ WB_GUARDED_BY(mutex_) = 0;  // traces
  uint64_t under_way_ WB_GUARDED_BY(mutex_) = 0;
  std::optional<EndCall> end_ WB_GUARDED_BY(mutex_);  // that waits for them
};

}  // namespace wb
