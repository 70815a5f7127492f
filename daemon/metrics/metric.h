#pragma once

// The metrics of metrics.def, as numbers and as a table.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

enum class Metric : uint16_t {
#define WB_METRIC(kind, id, name, labels, help) k##id,
#include "daemon/metrics/metrics.def"
#undef WB_METRIC
};

enum class MetricKind : uint8_t { kCounter, kGauge, kShortTimes, kLongTimes };

struct MetricInfo {
  MetricKind kind = MetricKind::kGauge;
  std::string name;
  std::vector<std::string> labels;
  std::string help;
};

const std::vector<MetricInfo>& MetricTable();  // by the number of the Metric
const MetricInfo& InfoOf(Metric metric);

// Upper bounds of a histogram's buckets, in seconds.
std::vector<double> BucketsOf(MetricKind kind);

}  // namespace wb
