#pragma once

// JobSpans: what happened to a job, and the spans that this makes: the whole job, its wait in the
// queue, each build, its bursts, and its results on their way to the store. Pure; its owner locks.
//
// Of bursts and builds there are as many spans as the bounds say; more are counted. A span says
// nothing of other jobs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/base/trace_context.h"
#include "daemon/traces/span.h"
#include "scheduler/bursts/scheduler_observer.h"
#include "scheduler/job/job.h"
#include "scheduler/job/job_progress.h"

namespace wb {

class JobSpans {
 public:
  static constexpr size_t kMostBursts = 128;
  static constexpr size_t kMostBuilds = 16;

  struct Origin {
    std::string job;     // id
    std::string module;  // digest
    uint64_t instances = 0;
    TraceContext trace;
    int64_t create_unix_ns = 0;
    bool resumed = false;  // an earlier daemon had it
  };
  explicit JobSpans(Origin origin) : origin_(std::move(origin)) {}

  // Times are Unix times in nanoseconds.
  void Reached(JobPhase phase, int64_t now);
  void Built(const BuildRecord& build, int64_t now);
  // False: it was counted alone.
  bool Ran(const BurstRecord& burst, const BurstShare& share, int64_t now, bool has_room = true);
  void Stored(uint64_t results, int64_t now);
  void End(const Status& status, bool cancelled, const JobUsage& usage, int64_t now);

  std::optional<int64_t> ended() const { return end_unix_ns_; }
  size_t bursts() const { return bursts_.size(); }
  // Of a job that has ended.
  std::vector<Span> Spans() const;

 private:
  Span NewSpan(const char* name, int64_t start, int64_t end) const;
  Span Whole() const;

  const Origin origin_;
  std::optional<int64_t> left_queue_;
  std::optional<int64_t> first_results_;
  uint64_t results_ = 0;
  std::vector<Span> builds_;
  std::vector<Span> bursts_;
  uint64_t more_builds_ = 0;
  uint64_t more_bursts_ = 0;
  std::optional<int64_t> end_unix_ns_;
  std::string error_;
  bool cancelled_ = false;
  JobUsage usage_;
};

}  // namespace wb
