#include "scheduler/trace/tracing_sink.h"

#include <algorithm>
#include <utility>

namespace wb {

TracingSink::TracingSink(std::shared_ptr<ResultSink> behind, Tracer& tracer)
    : ForwardingSink(std::move(behind)), tracer_(tracer) {}

bool TracingSink::HoldBack(InstanceResult& result) {
  const JobPlanRef plan = begun_ < tracer_.limits().per_job ? plan_.lock() : nullptr;
  if (plan == nullptr) return false;
  // The tracer may come to an end before this returns; the lock holds Traced back.
  auto held = std::make_shared<InstanceResult>();
  const bool begins = tracer_.Trace(plan, result, [self = shared_from_this(), held](auto frames) {
    self->Traced(held, std::move(frames));
  });
  if (!begins) return false;
  *held = std::move(result);
  ++begun_;
  ++under_way_;
  return true;
}

void TracingSink::OnResults(ResultBatch results) {
  MutexLock lock(mutex_);
  if (begun_ == tracer_.limits().per_job || results.count(End::kTrapped) == 0) {
    return behind().OnResults(std::move(results));
  }
  ResultBatch rest;
  rest.Reserve(results.size());
  for (InstanceResult& result : results.All()) {
    if (result.end != End::kTrapped || !HoldBack(result)) rest.Add(result);
  }
  if (!rest.empty()) behind().OnResults(std::move(rest));
}

void TracingSink::Traced(const std::shared_ptr<InstanceResult>& result,
                         Result<std::vector<TraceFrame>> frames) {
  MutexLock lock(mutex_);
  if (frames.ok()) {
    result->backtrace = std::move(frames).value();
  } else {
    result->backtrace_error = frames.status().message();
  }
  ResultBatch batch;
  batch.Add(*result);
  behind().OnResults(std::move(batch));
  if (--under_way_ == 0 && end_) behind().OnEnd(end_->status, end_->cancelled, end_->usage);
}

void TracingSink::OnEnded(const EndedRange& range) {
  MutexLock lock(mutex_);
  behind().OnEnded(range);
}

void TracingSink::OnProgress(const JobProgress& progress) {
  MutexLock lock(mutex_);
  behind().OnProgress(progress);
}

void TracingSink::OnEnd(Status status, bool cancelled, const JobUsage& usage) {
  MutexLock lock(mutex_);
  if (under_way_ == 0) return behind().OnEnd(std::move(status), cancelled, usage);
  end_ = EndCall{std::move(status), cancelled, usage};
}

}  // namespace wb
