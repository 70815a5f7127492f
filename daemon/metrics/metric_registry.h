#pragma once

// MetricRegistry: the figures of one daemon, and their text for Prometheus.
//
// What happens is counted here as it happens. What another part knows anyway (devices, the kernel
// cache, jobs by state) is asked for when the text is made, from sources.
//
// Threads: every method from any thread, except AddSource, which comes before the first Text.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/metrics/metric.h"

namespace wb {

using LabelValues = std::vector<std::string>;  // in the order of the metric's labels

// What a source says: the value of one series at this moment.
struct Sample {
  Metric metric = Metric::kBuildInfo;
  LabelValues labels;
  double value = 0;
};
using Samples = std::vector<Sample>;
using MetricSource = std::function<void(Samples* samples)>;

class MetricRegistry {
 public:
  MetricRegistry();
  ~MetricRegistry();
  MetricRegistry(const MetricRegistry&) = delete;
  MetricRegistry& operator=(const MetricRegistry&) = delete;

  // Of a counter or a gauge. An amount of 0 makes the series exist.
  void Add(Metric metric, const LabelValues& labels, double amount);
  // Of a histogram.
  void Observe(Metric metric, const LabelValues& labels, double seconds);
  void Expect(Metric metric, const LabelValues& labels);  // the histogram's series exists

  // A metric is fed by Add and Observe or by sources, never by both.
  void AddSource(MetricSource source);

  // All metrics of the table in its order, those without a series by their description alone.
  std::string Text() const;

 private:
  struct Row;
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace wb
