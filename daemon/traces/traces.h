#pragma once

// Traces: all that becomes of spans, as the daemon uses it. Threads: any, but for Start.

#include <memory>

#include "daemon/config/config.h"
#include "daemon/metrics/metric_registry.h"
#include "daemon/traces/span_exporter.h"
#include "daemon/traces/trace_collector.h"

namespace wb {

class Traces {
 public:
  // Null where the configuration names no endpoint. CONFIG_INVALID (the file of headers), IO_ERROR.
  static Result<std::unique_ptr<Traces>> Start(const Config& config,
                                               std::shared_ptr<MetricRegistry> metrics);
  ~Traces();  // sends what is left, for two seconds at most
  Traces(const Traces&) = delete;
  Traces& operator=(const Traces&) = delete;

  const std::shared_ptr<TraceCollector>& collector() const { return collector_; }

 private:
  Traces(std::shared_ptr<SpanExporter> exporter, std::shared_ptr<TraceCollector> collector);

  std::shared_ptr<SpanExporter> exporter_;
  const std::shared_ptr<TraceCollector> collector_;
};

}  // namespace wb
