#include "daemon/metrics/metric.h"

namespace wb {
namespace {

std::vector<std::string> LabelsOf(std::string_view text) {
  std::vector<std::string> labels;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    labels.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return labels;
}

}  // namespace

const std::vector<MetricInfo>& MetricTable() {
  static const std::vector<MetricInfo> table = {
#define WB_METRIC(kind, id, name, labels, help) {MetricKind::k##kind, name, LabelsOf(labels), help},
#include "daemon/metrics/metrics.def"
#undef WB_METRIC
  };
  return table;
}

const MetricInfo& InfoOf(Metric metric) { return MetricTable().at(static_cast<size_t>(metric)); }

std::vector<double> BucketsOf(MetricKind kind) {
  if (kind == MetricKind::kShortTimes) {
    return {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
  }
  if (kind == MetricKind::kLongTimes) {
    return {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 300, 900, 3600, 14400, 86400};
  }
  return {};
}

}  // namespace wb
