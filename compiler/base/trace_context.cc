#include "compiler/base/trace_context.h"

#include <algorithm>
#include <cstdint>
#include <random>

namespace wb {
namespace {

constexpr size_t kTraceDigits = 32;
constexpr size_t kSpanDigits = 16;
constexpr size_t kLength = 2 + 1 + kTraceDigits + 1 + kSpanDigits + 1 + 2;

// Capitals are not allowed.
bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char digit) {
    return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
  });
}

bool IsZero(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char digit) { return digit == '0'; });
}

std::string RandomDigits(size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  thread_local std::mt19937_64 random{std::random_device{}()};
  std::string text;
  while (text.empty() || IsZero(text)) {
    text.clear();
    while (text.size() < count) text += kDigits[random() >> 60];
  }
  return text;
}

}  // namespace

// "00-<trace id>-<span id>-<flags>"; of later versions, which may be longer, these parts count.
std::optional<TraceContext> ParseTraceParent(std::string_view text) {
  if (text.size() < kLength) return std::nullopt;
  const std::string_view version = text.substr(0, 2);
  const std::string_view trace = text.substr(3, kTraceDigits);
  const std::string_view span = text.substr(4 + kTraceDigits, kSpanDigits);
  const std::string_view flags = text.substr(kLength - 2, 2);
  const bool has_hyphens = text[2] == '-' && text[3 + kTraceDigits] == '-' &&
                           text[kLength - 3] == '-' &&
                           (text.size() == kLength || (version != "00" && text[kLength] == '-'));
  const bool is_hex = IsHex(version) && IsHex(trace) && IsHex(span) && IsHex(flags);
  if (!has_hyphens || !is_hex || version == "ff" || IsZero(trace) || IsZero(span)) {
    return std::nullopt;
  }
  TraceContext context;
  context.trace_id = trace;
  context.parent_span_id = span;
  const char last = flags[1];  // its lowest bit: sampled
  context.sampled = (last >= 'a' ? last - 'a' + 10 : last - '0') % 2 == 1;
  return context;
}

std::string TraceParentOf(const TraceContext& trace) {
  return "00-" + trace.trace_id + "-" + trace.span_id + (trace.sampled ? "-01" : "-00");
}

std::string NewTraceId() { return RandomDigits(kTraceDigits); }

std::string NewSpanId() { return RandomDigits(kSpanDigits); }

TraceContext TraceOfCall(std::string_view traceparent) {
  TraceContext context = ParseTraceParent(traceparent).value_or(TraceContext());
  if (context.trace_id.empty()) context.trace_id = NewTraceId();
  context.span_id = NewSpanId();
  return context;
}

TraceContext ChildOf(const TraceContext& parent) {
  return {parent.trace_id, NewSpanId(), parent.span_id, parent.sampled};
}

}  // namespace wb
