#pragma once

// Spans as OTLP's JSON (an ExportTraceServiceRequest): ids in hexadecimal digits, names in
// camelCase, 64-bit integers as text. Pure.

#include <string>
#include <vector>

#include "daemon/traces/span.h"

namespace wb {

// What all spans of a process come from.
struct TraceResource {
  std::string version;  // of the daemon
  std::string host;
};

std::string OtlpJson(const TraceResource& resource, const std::vector<Span>& spans);

}  // namespace wb
