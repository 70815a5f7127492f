#pragma once

// TraceCollector: what happens to calls and jobs of sampled traces, as spans.
//
// Threads: any. Its lock is a leaf: with it held nothing is called but what takes the spans, which
// must not block.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/store/job_store.h"
#include "daemon/traces/job_spans.h"
#include "daemon/traces/span.h"
#include "scheduler/bursts/scheduler_observer.h"
#include "scheduler/job/job_progress.h"

namespace wb {

// A call that has ended.
struct EndedCall {
  std::string path;  // "/wasmburst.v1.Jobs/CreateJob"
  TraceContext trace;
  std::chrono::nanoseconds duration{};
  Status status;
  uint64_t messages = 0;  // sent on a stream
};

// Whether the trace is exported: its caller says so, or it is among the percent of all, as its id
// says. Pure.
bool IsSampled(const TraceContext& trace, uint64_t percent);
// Calls that do something for a job. Not looks at jobs, nor acknowledgements, of which a reader may
// make hundreds. Pure.
bool IsTracedMethod(const std::string& path);

class TraceCollector final : public SchedulerObserver,
                             public std::enable_shared_from_this<TraceCollector> {
 public:
  // A burst may end after the last of its jobs: so long are a job's spans held back.
  struct Settings {
    uint64_t sample_percent = 100;
    std::chrono::nanoseconds late{std::chrono::seconds(2)};
    size_t most_bursts = 65536;  // that are held, of all jobs
  };
  using Take = std::function<void(std::vector<Span> spans)>;
  TraceCollector(const Settings& settings, std::function<int64_t()> now, Take take)
      : settings_(settings), now_(std::move(now)), take_(std::move(take)) {}

  // A sink that tells this one what the job does, and passes all on.
  std::shared_ptr<ResultSink> Wrap(const JobInfo& job, std::shared_ptr<ResultSink> sink);
  void OnCall(const EndedCall& call);
  void OnBurst(const BurstRecord& burst) override;
  void OnBuild(const BuildRecord& build) override;
  void Tick();   // now and then
  void Flush();  // the daemon ends: spans of ended jobs wait no longer

 private:
  class Sink;
  void Hold(const std::string& job, const std::function<void(JobSpans&, int64_t now)>& change);
  void Forget(const std::string& job);
  void TakeEnded(int64_t until);

  const Settings settings_;
  const std::function<int64_t()> now_;
  const Take take_;
  Mutex mutex_;
  std::map<std::string, JobSpans> jobs_ WB_GUARDED_BY(mutex_);  // by id
  size_t held_bursts_ WB_GUARDED_BY(mutex_) = 0;
};

}  // namespace wb
