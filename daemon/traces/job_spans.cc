#include "daemon/traces/job_spans.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

int64_t Count(uint64_t number) {
  return static_cast<int64_t>(std::min(number, static_cast<uint64_t>(INT64_MAX)));
}

std::string Text(std::string_view words) { return std::string(words); }

}  // namespace

Span JobSpans::NewSpan(const char* name, int64_t start, int64_t end) const {
  Span span;
  span.trace_id = origin_.trace.trace_id;
  span.span_id = NewSpanId();
  span.parent_span_id = origin_.trace.span_id;
  span.name = name;
  span.start_unix_ns = start;
  span.end_unix_ns = std::max(start, end);
  span.attributes = {{"wasmburst.job", origin_.job}};
  return span;
}

void JobSpans::Reached(JobPhase phase, int64_t now) {
  if (phase != JobPhase::kQueued && !left_queue_) left_queue_ = now;
}

void JobSpans::Built(const BuildRecord& build, int64_t now) {
  if (builds_.size() >= kMostBuilds) {
    ++more_builds_;
    return;
  }
  Span span = NewSpan("compile", now - build.time.count(), now);
  span.attributes.push_back({"wasmburst.build", Text(KernelBuildName(build.build))});
  span.attributes.push_back({"wasmburst.cached", build.cached});
  if (!build.status.ok()) span.error = Text(ReasonName(build.status.reason()));
  builds_.push_back(std::move(span));
}

bool JobSpans::Ran(const BurstRecord& burst, const BurstShare& share, int64_t now, bool has_room) {
  if (bursts_.size() >= kMostBursts || !has_room) {
    ++more_bursts_;
    return false;
  }
  const int64_t start = now - burst.since_start.count();
  Span span = NewSpan("burst", start, start + burst.duration.count());
  span.attributes.insert(
      span.attributes.end(),
      {{"wasmburst.device", burst.device},
       {"wasmburst.burst", Count(burst.number)},
       {"wasmburst.burst_end", Text(BurstEndName(burst.end))},
       {"wasmburst.instances", Count(share.instances)},
       {"wasmburst.fuel", Count(share.fuel)},
       {"wasmburst.launches", Count(share.launches)},
       {"wasmburst.busy_seconds", std::chrono::duration<double>(share.busy).count()},
       {"wasmburst.build", Text(KernelBuildName(share.build))}});
  bursts_.push_back(std::move(span));
  return true;
}

void JobSpans::Stored(uint64_t results, int64_t now) {
  if (!first_results_) first_results_ = now;
  results_ += results;
}

void JobSpans::End(const Status& status, bool cancelled, const JobUsage& usage, int64_t now) {
  end_unix_ns_ = now;
  cancelled_ = cancelled;
  usage_ = usage;
  if (!status.ok()) error_ = Text(ReasonName(status.reason()));
}

Span JobSpans::Whole() const {
  Span span = NewSpan("job", origin_.create_unix_ns, *end_unix_ns_);
  span.span_id = origin_.trace.span_id;
  span.parent_span_id = origin_.trace.parent_span_id;
  span.error = error_;
  span.attributes.insert(span.attributes.end(),
                         {{"wasmburst.module", "sha256:" + origin_.module},
                          {"wasmburst.instances", Count(origin_.instances)},
                          {"wasmburst.fuel", Count(usage_.fuel)},
                          {"wasmburst.launches", Count(usage_.bursts)},
                          {"wasmburst.cancelled", cancelled_},
                          {"wasmburst.resumed", origin_.resumed},
                          {"wasmburst.bursts", Count(bursts_.size() + more_bursts_)},
                          {"wasmburst.bursts_left_out", Count(more_bursts_)},
                          {"wasmburst.builds_left_out", Count(more_builds_)}});
  return span;
}

std::vector<Span> JobSpans::Spans() const {
  std::vector<Span> spans;
  if (!end_unix_ns_) return spans;
  spans.push_back(Whole());
  spans.push_back(NewSpan("queue", origin_.create_unix_ns, left_queue_.value_or(*end_unix_ns_)));
  spans.insert(spans.end(), builds_.begin(), builds_.end());
  spans.insert(spans.end(), bursts_.begin(), bursts_.end());
  if (first_results_) {
    Span stored = NewSpan("store results", *first_results_, *end_unix_ns_);
    stored.attributes.push_back({"wasmburst.results", Count(results_)});
    spans.push_back(std::move(stored));
  }
  return spans;
}

}  // namespace wb
