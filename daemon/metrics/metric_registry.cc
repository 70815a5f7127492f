#include "daemon/metrics/metric_registry.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/text_serializer.h>

#include <iterator>
#include <sstream>
#include <utility>

#include "compiler/base/check.h"

namespace wb {
namespace {

prometheus::Labels LabelsFor(const MetricInfo& info, const LabelValues& values) {
  WB_CHECK(values.size() == info.labels.size());
  prometheus::Labels labels;
  for (size_t i = 0; i < values.size(); ++i) labels.emplace(info.labels[i], values[i]);
  return labels;
}

prometheus::MetricType TypeOf(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter: return prometheus::MetricType::Counter;
    case MetricKind::kGauge: return prometheus::MetricType::Gauge;
    case MetricKind::kShortTimes:
    case MetricKind::kLongTimes: return prometheus::MetricType::Histogram;
  }
  return prometheus::MetricType::Untyped;
}

template <typename T>
std::unique_ptr<prometheus::Family<T>> FamilyFor(const MetricInfo& info) {
  return std::make_unique<prometheus::Family<T>>(info.name, info.help, prometheus::Labels());
}

// The library leaves out families without series; their descriptions are shown all the same.
prometheus::MetricFamily Described(const MetricInfo& info) {
  prometheus::MetricFamily family;
  family.name = info.name;
  family.help = info.help;
  family.type = TypeOf(info.kind);
  return family;
}

prometheus::ClientMetric SeriesOf(const Sample& sample) {
  const MetricInfo& info = InfoOf(sample.metric);
  WB_CHECK(sample.labels.size() == info.labels.size());
  prometheus::ClientMetric series;
  for (size_t i = 0; i < sample.labels.size(); ++i) {
    series.label.push_back({info.labels[i], sample.labels[i]});
  }
  if (info.kind == MetricKind::kCounter) series.counter.value = sample.value;
  if (info.kind == MetricKind::kGauge) series.gauge.value = sample.value;
  return series;
}

}  // namespace

// A row of the table with its series; one of the three families is there.
struct MetricRegistry::Row {
  explicit Row(const MetricInfo& info) {
    if (info.kind == MetricKind::kCounter) {
      counters = FamilyFor<prometheus::Counter>(info);
    } else if (info.kind == MetricKind::kGauge) {
      gauges = FamilyFor<prometheus::Gauge>(info);
    } else {
      histograms = FamilyFor<prometheus::Histogram>(info);
    }
  }
  const prometheus::Collectable& family() const {
    if (counters != nullptr) return *counters;
    if (gauges != nullptr) return *gauges;
    return *histograms;
  }

  std::unique_ptr<prometheus::Family<prometheus::Counter>> counters;
  std::unique_ptr<prometheus::Family<prometheus::Gauge>> gauges;
  std::unique_ptr<prometheus::Family<prometheus::Histogram>> histograms;
};

struct MetricRegistry::Impl {
  std::vector<Row> rows;  // of the table
  std::vector<MetricSource> sources;

  const Row& row(Metric metric) const { return rows.at(static_cast<size_t>(metric)); }
};

MetricRegistry::MetricRegistry() : impl_(std::make_unique<Impl>()) {
  for (const MetricInfo& info : MetricTable()) impl_->rows.emplace_back(info);
}

MetricRegistry::~MetricRegistry() = default;

void MetricRegistry::Add(Metric metric, const LabelValues& labels, double amount) {
  const Row& row = impl_->row(metric);
  const prometheus::Labels named = LabelsFor(InfoOf(metric), labels);
  WB_CHECK(row.histograms == nullptr);
  if (row.counters != nullptr) {
    row.counters->Add(named).Increment(amount);
  } else {
    row.gauges->Add(named).Increment(amount);
  }
}

void MetricRegistry::Observe(Metric metric, const LabelValues& labels, double seconds) {
  const MetricInfo& info = InfoOf(metric);
  const Row& row = impl_->row(metric);
  WB_CHECK(row.histograms != nullptr);
  row.histograms->Add(LabelsFor(info, labels), BucketsOf(info.kind)).Observe(seconds);
}

void MetricRegistry::Expect(Metric metric, const LabelValues& labels) {
  const MetricInfo& info = InfoOf(metric);
  const Row& row = impl_->row(metric);
  WB_CHECK(row.histograms != nullptr);
  row.histograms->Add(LabelsFor(info, labels), BucketsOf(info.kind));
}

void MetricRegistry::AddSource(MetricSource source) { impl_->sources.push_back(std::move(source)); }

std::string MetricRegistry::Text() const {
  Samples samples;
  for (const MetricSource& source : impl_->sources) source(&samples);
  std::vector<prometheus::MetricFamily> families;
  for (size_t i = 0; i < impl_->rows.size(); ++i) {
    families.push_back(Described(MetricTable()[i]));
    std::vector<prometheus::ClientMetric>& all = families.back().metric;
    for (prometheus::MetricFamily& own : impl_->rows[i].family().Collect()) {
      std::move(own.metric.begin(), own.metric.end(), std::back_inserter(all));
    }
  }
  for (const Sample& sample : samples) {
    families.at(static_cast<size_t>(sample.metric)).metric.push_back(SeriesOf(sample));
  }
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, families);
  return std::move(text).str();
}

}  // namespace wb
