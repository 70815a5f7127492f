#include "client/cli/perf/measurement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "client/cli/output/print.h"

namespace wb::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// Large rates as counts, times with three digits.
std::string ValueText(double value, const std::string& unit) {
  if (unit == "/s" && value >= 1000) return CountText(value) + unit;
  char text[48];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text + (unit == "/s" ? unit : " " + unit);
}

Json JsonOf(const Measurement& measurement) {
  Json json = {{"name", measurement.name}, {"unit", measurement.unit}};
  if (!measurement.device.empty()) json["device"] = measurement.device;
  if (!measurement.runs.empty()) {
    const Summary summary = Summarize(measurement.runs);
    json["median"] = summary.median;
    json["least"] = summary.least;
    json["most"] = summary.most;
  }
  json["runs"] = measurement.runs.size();
  json["ok"] = !HasFailed(measurement);
  if (!measurement.failure.ok()) {
    json["error"] = {{"reason", std::string(ReasonName(measurement.failure.reason()))},
                     {"message", measurement.failure.message()}};
  }
  return json;
}

}  // namespace

Summary Summarize(std::vector<double> runs) {
  if (runs.empty()) return {};
  std::sort(runs.begin(), runs.end());
  const size_t middle = runs.size() / 2;
  const double median = runs.size() % 2 == 1 ? runs[middle] : (runs[middle - 1] + runs[middle]) / 2;
  return {median, runs.front(), runs.back()};
}

bool HasFailed(const Measurement& measurement) {
  return !measurement.failure.ok() || measurement.runs.empty();
}

std::string MeasurementTable(const std::vector<Measurement>& measurements) {
  std::vector<std::vector<std::string>> rows = {
      {"WHAT", "DEVICE", "MEDIAN", "LEAST", "MOST", "RUNS", ""}};
  for (const Measurement& measurement : measurements) {
    const bool has_runs = !measurement.runs.empty();
    const Summary summary = Summarize(measurement.runs);
    const auto text = [&](double value) {
      return has_runs ? ValueText(value, measurement.unit) : std::string("-");
    };
    rows.push_back({measurement.what, measurement.device.empty() ? "-" : measurement.device,
                    text(summary.median), text(summary.least), text(summary.most),
                    std::to_string(measurement.runs.size()),
                    HasFailed(measurement) ? "FAILED: " + measurement.failure.message() : ""});
  }
  return Table(rows);
}

std::string MeasurementsJson(const std::vector<Measurement>& measurements) {
  Json all = Json::array();
  for (const Measurement& measurement : measurements) all.push_back(JsonOf(measurement));
  const bool ok = std::none_of(measurements.begin(), measurements.end(), HasFailed);
  return Dump({{"ok", ok}, {"measurements", all}}, 1);
}

std::string MeasurementJson(const Measurement& measurement) {
  return Dump(JsonOf(measurement), -1);
}

}  // namespace wb::cli
