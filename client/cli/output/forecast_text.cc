#include "client/cli/output/forecast_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "client/cli/output/print.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct Unit {
  double seconds;
  const char* name;
  double below;  // so many of them are said in this unit
};
constexpr std::array<Unit, 4> kUnits = {
    {{1, "s", 100}, {60, "min", 100}, {3600, "h", 48}, {86400, "days", INFINITY}}};

struct Span {
  std::string number;
  std::string unit;
};

Span SpanOf(double seconds) {
  const auto* unit = std::find_if(kUnits.begin(), kUnits.end() - 1, [seconds](const Unit& one) {
    return std::round(seconds / one.seconds) < one.below;
  });
  return {std::to_string(std::lround(seconds / unit->seconds)), unit->name};
}

double SecondsFrom(int64_t now_unix_ns, const google::protobuf::Timestamp& time) {
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t seconds = time.seconds() - now_unix_ns / kSecond;
  const int64_t nanoseconds = time.nanos() - now_unix_ns % kSecond;
  return static_cast<double>(seconds) + static_cast<double>(nanoseconds) / 1e9;
}

}  // namespace

std::string RateText(const v1::Forecast& forecast) {
  if (!forecast.has_instructions_per_second()) return "";
  return CountText(forecast.instructions_per_second()) + " instructions/s";
}

std::string LeftText(const v1::Forecast& forecast, int64_t now_unix_ns) {
  if (!forecast.has_earliest_end() || !forecast.has_latest_end()) return "";
  const double most = SecondsFrom(now_unix_ns, forecast.latest_end());
  if (most < 0) return "later than was expected";
  const Span latest = SpanOf(most);
  const Span earliest = SpanOf(std::max(0.0, SecondsFrom(now_unix_ns, forecast.earliest_end())));
  const std::string end = latest.number + " " + latest.unit + " left";
  if (earliest.unit != latest.unit) return earliest.number + " " + earliest.unit + " to " + end;
  if (earliest.number != latest.number) return earliest.number + " to " + end;
  return "about " + end;
}

std::string ForecastText(const v1::Forecast& forecast, int64_t now_unix_ns) {
  std::string text = RateText(forecast);
  const std::string left = LeftText(forecast, now_unix_ns);
  if (!text.empty() && !left.empty()) text += ", ";
  return text + left;
}

int64_t UnixNow() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

}  // namespace wb::cli
