#pragma once

// Span: a piece of work, as OpenTelemetry has it. Plain values.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace wb {

enum class SpanKind : uint8_t { kInternal = 1, kServer = 2 };  // numbers of the protocol

struct SpanAttribute {
  std::string key;
  std::variant<std::string, int64_t, double, bool> value;
};

struct Span {
  std::string trace_id;  // hexadecimal digits, as in TraceContext
  std::string span_id;
  std::string parent_span_id;  // empty: none
  std::string name;
  SpanKind kind = SpanKind::kInternal;
  int64_t start_unix_ns = 0;
  int64_t end_unix_ns = 0;
  std::vector<SpanAttribute> attributes;
  std::string error;  // why it failed; empty: it did not
};

}  // namespace wb
