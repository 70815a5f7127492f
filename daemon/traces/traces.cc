#include "daemon/traces/traces.h"

#include <unistd.h>

#include <array>
#include <string>
#include <utility>

#include "daemon/process/clock.h"
#include "daemon/process/log.h"
#include "daemon/process/version.h"
#include "daemon/traces/http_post.h"
#include "daemon/traces/trace_headers.h"

namespace wb {
namespace {

constexpr const char* kPath = "/v1/traces";
constexpr std::array<SpanFate, 3> kDrops = {SpanFate::kQueueFull, SpanFate::kRefused,
                                            SpanFate::kGivenUp};

std::string DropName(SpanFate fate) {
  switch (fate) {
    case SpanFate::kExported: break;
    case SpanFate::kQueueFull: return "queue_full";
    case SpanFate::kRefused: return "refused";
    case SpanFate::kGivenUp: return "given_up";
  }
  return "";
}

std::string UrlOf(std::string endpoint) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint.ends_with(kPath) ? endpoint : endpoint + kPath;
}

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

void Count(MetricRegistry& metrics, SpanFate fate, uint64_t spans, const std::string& why) {
  const auto amount = static_cast<double>(spans);
  if (fate == SpanFate::kExported) return metrics.Add(Metric::kSpansExported, {}, amount);
  metrics.Add(Metric::kSpansDropped, {DropName(fate)}, amount);
  if (why.empty()) return;
  Log(LogLevel::kWarning, "spans_dropped", {{"count", std::to_string(spans)}, {"error", why}});
}

}  // namespace

Traces::Traces(std::shared_ptr<SpanExporter> exporter, std::shared_ptr<TraceCollector> collector)
    : exporter_(std::move(exporter)), collector_(std::move(collector)) {}

Traces::~Traces() { collector_->Flush(); }

Result<std::unique_ptr<Traces>> Traces::Start(const Config& config,
                                              std::shared_ptr<MetricRegistry> metrics) {
  metrics->Add(Metric::kSpansExported, {}, 0);
  for (const SpanFate fate : kDrops) metrics->Add(Metric::kSpansDropped, {DropName(fate)}, 0);
  if (config.traces_endpoint.empty()) return std::unique_ptr<Traces>();
  WB_ASSIGN(const std::vector<std::string> headers, ReadTraceHeaders(config.traces_headers_file));
  WB_ASSIGN(auto post, HttpPost::Open(UrlOf(config.traces_endpoint), headers));
  SpanExporter::Settings settings;
  settings.resource = {kVersion, HostName()};
  auto exporter = std::make_shared<SpanExporter>(
      std::move(settings),
      [post = std::shared_ptr<HttpPost>(std::move(post))](
          const std::string& body, const std::function<bool()>& is_unwanted) {
        return post->Send(body, is_unwanted);
      },
      [metrics = std::move(metrics)](SpanFate fate, uint64_t spans, const std::string& why) {
        Count(*metrics, fate, spans, why);
      });
  TraceCollector::Settings sampling;
  sampling.sample_percent = config.traces_sample_percent;
  sampling.late += std::chrono::nanoseconds(config.burst_max_duration);
  // Sinks may outlive the exporter.
  auto collector = std::make_shared<TraceCollector>(
      sampling, UnixNow, [weak = std::weak_ptr(exporter)](std::vector<Span> spans) {
        if (const auto there = weak.lock()) there->Add(std::move(spans));
      });
  return std::unique_ptr<Traces>(new Traces(std::move(exporter), std::move(collector)));
}

}  // namespace wb
