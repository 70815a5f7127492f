#pragma once

// What a job tells on its way: its progress, its results, its end.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/job/job.h"
#include "scheduler/job/result_batch.h"

namespace wb {

using JobId = uint64_t;

enum class JobPhase : uint8_t { kQueued, kCompiling, kRunning, kEnded };

struct JobProgress {
  JobPhase phase = JobPhase::kQueued;
  std::string waiting_for;       // one sentence while queued or compiling
  std::string device;            // id, once chosen
  std::string placement_reason;  // why there
  uint64_t finished = 0;
  uint64_t running = 0;
  JobUsage usage;
  JobForecast forecast;
};

// Where a job's results go. Calls come one at a time, from a scheduler thread; they must not block
// and must not call the scheduler.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  // Instances that Reserve would grant now. Any thread.
  virtual uint64_t Room() const = 0;
  // Room for the results of instances that are about to start: as many as are granted, at most
  // those asked for. Each takes its part until OnResults brings its result, or Release says that it
  // has stopped without one. OnResults never brings more results than were granted. Any thread.
  virtual uint64_t Reserve(uint64_t instances) = 0;
  virtual void Release(uint64_t instances) = 0;
  // Reserve gives room for what a record holds of a result. An instance that writes more goes on
  // once it is granted room for all, which it has until Narrow. A job all of whose results were
  // read, and of which no instance has that room, must be granted it for one, or it may wait for
  // ever. By default there is always room. Any thread; Narrow may come after OnEnd.
  virtual uint64_t WholeRoom() const { return ~uint64_t{0} >> 1; }  // that Widen would grant now
  virtual uint64_t Widen(uint64_t instances) { return instances; }
  virtual void Narrow(uint64_t) {}
  virtual void OnResults(ResultBatch results) = 0;
  // Results of instances that never ran, or not to their end. They need no room.
  virtual void OnEnded(const EndedRange& range) = 0;
  virtual void OnProgress(const JobProgress& progress) = 0;
  // Exactly once, last. Not ok: the job could not run (the reason is the status). Ok also when
  // cancelled: `cancelled` says so, and instances without a result have none.
  virtual void OnEnd(Status status, bool cancelled, const JobUsage& usage) = 0;
};

}  // namespace wb
