#include "daemon/traces/trace_collector.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include "scheduler/job/forwarding_sink.h"

namespace wb {
namespace {

constexpr std::string_view kTracedMethods[] = {
    "/wasmburst.v1.Jobs/CreateJob",       "/wasmburst.v1.Jobs/RunJob",
    "/wasmburst.v1.Jobs/ReadResults",     "/wasmburst.v1.Jobs/ServeHostCalls",
    "/wasmburst.v1.Jobs/CancelJob",       "/wasmburst.v1.Jobs/DeleteJob",
    "/wasmburst.v1.Modules/CreateModule", "/wasmburst.v1.Modules/UploadModule",
    "/wasmburst.v1.Inputs/UploadInput"};

// The same for all daemons that see the trace.
uint64_t PercentileOf(const std::string& trace_id) {
  constexpr size_t kDigits = 8;  // of the end, which is random in all ids
  uint32_t number = 0;
  const char* const end = trace_id.data() + trace_id.size();
  if (trace_id.size() >= kDigits) std::from_chars(end - kDigits, end, number, 16);
  return number % 100;
}

JobSpans::Origin OriginOf(const JobInfo& job) {
  JobSpans::Origin origin;
  origin.job = job.id;
  origin.module = job.request->module.Hex();
  origin.instances = job.request->instances;
  origin.trace = job.request->trace;
  if (!job.history.empty()) origin.create_unix_ns = job.history.front().unix_ns;
  origin.resumed = job.history.size() > 1;
  return origin;
}

}  // namespace

bool IsSampled(const TraceContext& trace, uint64_t percent) {
  if (trace.trace_id.empty()) return false;
  return trace.sampled || PercentileOf(trace.trace_id) < percent;
}

bool IsTracedMethod(const std::string& path) {
  return std::find(std::begin(kTracedMethods), std::end(kTracedMethods), path) !=
         std::end(kTracedMethods);
}

class TraceCollector::Sink final : public ForwardingSink {
 public:
  Sink(std::shared_ptr<TraceCollector> traces, std::string job, std::shared_ptr<ResultSink> behind)
      : ForwardingSink(std::move(behind)), traces_(std::move(traces)), job_(std::move(job)) {}

  // One that never ended: the scheduler refused it, or the daemon ends before it.
  ~Sink() override {
    if (!has_ended_) traces_->Forget(job_);
  }

  void OnResults(ResultBatch results) override {
    const uint64_t count = results.size();
    ForwardingSink::OnResults(std::move(results));
    traces_->Hold(job_, [count](JobSpans& job, int64_t now) { job.Stored(count, now); });
  }
  void OnProgress(const JobProgress& progress) override {
    if (progress.phase != JobPhase::kQueued && !std::exchange(has_left_queue_, true)) {
      traces_->Hold(job_,
                    [&progress](JobSpans& job, int64_t now) { job.Reached(progress.phase, now); });
    }
    ForwardingSink::OnProgress(progress);
  }
  void OnEnd(Status status, bool cancelled, const JobUsage& usage) override {
    has_ended_ = true;
    traces_->Hold(job_,
                  [&](JobSpans& job, int64_t now) { job.End(status, cancelled, usage, now); });
    ForwardingSink::OnEnd(std::move(status), cancelled, usage);
  }

 private:
  const std::shared_ptr<TraceCollector> traces_;
  const std::string job_;
  // Calls of a sink come one at a time.
  bool has_left_queue_ = false;
  bool has_ended_ = false;
};

std::shared_ptr<ResultSink> TraceCollector::Wrap(const JobInfo& job,
                                                 std::shared_ptr<ResultSink> sink) {
  if (!IsSampled(job.request->trace, settings_.sample_percent)) return sink;
  {
    MutexLock lock(mutex_);
    jobs_.erase(job.id);
    jobs_.emplace(job.id, OriginOf(job));
  }
  return std::make_shared<Sink>(shared_from_this(), job.id, std::move(sink));
}

void TraceCollector::Hold(const std::string& job,
                          const std::function<void(JobSpans&, int64_t now)>& change) {
  const int64_t now = now_();
  MutexLock lock(mutex_);
  const auto at = jobs_.find(job);
  if (at != jobs_.end()) change(at->second, now);
}

void TraceCollector::Forget(const std::string& job) {
  MutexLock lock(mutex_);
  const auto at = jobs_.find(job);
  if (at == jobs_.end()) return;
  held_bursts_ -= at->second.bursts();
  jobs_.erase(at);
}

void TraceCollector::OnBuild(const BuildRecord& build) {
  Hold(build.job_name, [&build](JobSpans& job, int64_t now) { job.Built(build, now); });
}

void TraceCollector::OnBurst(const BurstRecord& burst) {
  const int64_t now = now_();
  MutexLock lock(mutex_);
  for (const BurstShare& share : burst.shares) {
    const auto at = jobs_.find(share.name);
    if (at == jobs_.end()) continue;
    const bool has_room = held_bursts_ < settings_.most_bursts;
    if (at->second.Ran(burst, share, now, has_room)) ++held_bursts_;
  }
}

void TraceCollector::OnCall(const EndedCall& call) {
  if (!IsTracedMethod(call.path) || !IsSampled(call.trace, settings_.sample_percent)) return;
  const int64_t now = now_();
  const size_t slash = call.path.rfind('/');
  Span span;
  span.trace_id = call.trace.trace_id;
  span.span_id = call.trace.span_id;
  span.parent_span_id = call.trace.parent_span_id;
  span.name = call.path.substr(1);
  span.kind = SpanKind::kServer;
  span.start_unix_ns = now - call.duration.count();
  span.end_unix_ns = now;
  span.attributes = {{"rpc.system", std::string("grpc")},
                     {"rpc.service", call.path.substr(1, slash - 1)},
                     {"rpc.method", call.path.substr(slash + 1)}};
  if (call.messages > 0) {
    span.attributes.push_back({"wasmburst.messages", static_cast<int64_t>(call.messages)});
  }
  if (!call.status.ok()) span.error = std::string(ReasonName(call.status.reason()));
  std::vector<Span> spans;
  spans.push_back(std::move(span));
  take_(std::move(spans));
}

void TraceCollector::TakeEnded(int64_t until) {
  std::vector<Span> spans;
  {
    MutexLock lock(mutex_);
    for (auto at = jobs_.begin(); at != jobs_.end();) {
      const auto ended = at->second.ended();
      if (!ended || *ended > until) {
        ++at;
        continue;
      }
      std::vector<Span> of_job = at->second.Spans();
      spans.insert(spans.end(), std::make_move_iterator(of_job.begin()),
                   std::make_move_iterator(of_job.end()));
      held_bursts_ -= at->second.bursts();
      at = jobs_.erase(at);
    }
  }
  if (!spans.empty()) take_(std::move(spans));
}

void TraceCollector::Tick() { TakeEnded(now_() - settings_.late.count()); }

void TraceCollector::Flush() { TakeEnded(INT64_MAX); }

}  // namespace wb
