#pragma once

// Ids by which what belongs together is found in traces and logs: W3C Trace Context. Pure but for
// new random ids.

#include <optional>
#include <string>
#include <string_view>

namespace wb {

// Of a call, or of a job.
struct TraceContext {
  std::string trace_id;        // 32 hexadecimal digits; empty: there is none
  std::string span_id;         // 16, of the call or job itself
  std::string parent_span_id;  // of the caller's span; empty: there is none
  bool sampled = false;        // the caller exports its spans, or asks for these
};

// What a `traceparent` says; its span is the parent. nullopt unless it is one of W3C's form.
std::optional<TraceContext> ParseTraceParent(std::string_view text);
std::string TraceParentOf(const TraceContext& trace);  // for what this span calls

std::string NewTraceId();
std::string NewSpanId();
// Of a call that came with this `traceparent`: a span of that trace, or of a new one.
TraceContext TraceOfCall(std::string_view traceparent);
// Of something that belongs to the span.
TraceContext ChildOf(const TraceContext& parent);

}  // namespace wb
