#include "daemon/monitoring/monitoring.h"

#include <utility>

#include "daemon/config/metrics_address.h"
#include "daemon/metrics/process_facts.h"
#include "daemon/monitoring/facts.h"
#include "daemon/monitoring/health.h"
#include "daemon/monitoring/pool_pulse.h"
#include "daemon/process/version.h"
#include "daemon/process/worker_pool.h"

namespace wb {
namespace {

// Of the text and the checks, which take locks of other parts.
constexpr size_t kPageThreads = 1;
constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

enum class WatchPage : uint8_t { kMetrics, kLive, kReady };

std::optional<WatchPage> PageOf(const std::string& path) {
  if (path == "/metrics") return WatchPage::kMetrics;
  if (path == "/livez") return WatchPage::kLive;
  if (path == "/readyz") return WatchPage::kReady;
  return std::nullopt;
}

bool IsVerbose(const HttpRequest& request) {
  return ("&" + request.query + "&").find("&verbose&") != std::string::npos ||
         ("&" + request.query).find("&verbose=") != std::string::npos;
}

void AddStoredSamples(const ServiceContext& context, Samples* samples) {
  const auto add = [samples](Metric metric, uint64_t value) {
    samples->push_back({metric, {}, static_cast<double>(value)});
  };
  add(Metric::kModules, context.modules->count());
  add(Metric::kModulesBytes, context.modules->bytes());
  add(Metric::kInputs, context.inputs->count());
  add(Metric::kInputsBytes, context.inputs->bytes());
}

}  // namespace

struct Monitoring::Impl {
  explicit Impl(MonitoringParts all) : parts(std::move(all)) {}

  // A source may outlive the stores. It does not hold them, since they hold the metrics.
  void AddSources() const {
    parts.metrics->Add(Metric::kBuildInfo, {kVersion, parts.context->compiler_version}, 1);
    const std::weak_ptr<const ServiceContext> stores = parts.context;
    parts.metrics->AddSource([stores](Samples* samples) {
      const ServiceContextRef context = stores.lock();
      if (context == nullptr) return;
      AddJobSamples(context->intake->store().Figures(), samples);
      AddCacheSamples(context->scheduler->CacheStatus(), samples);
      AddDeviceSamples(context->scheduler->Devices(), samples);
      AddStoredSamples(*context, samples);
    });
    parts.metrics->AddSource([folder = parts.state_directory](Samples* samples) {
      const DiskRoom room = RoomAt(folder);
      if (!room.known) return;
      samples->push_back({Metric::kStorageFree, {}, static_cast<double>(room.free_bytes)});
    });
    parts.metrics->AddSource([stores](Samples* samples) {
      const ServiceContextRef context = stores.lock();
      if (context == nullptr || context->disk_alarm == nullptr) return;
      const bool raised = context->disk_alarm->Look().has_value();
      samples->push_back({Metric::kStorageAlarm, {}, raised ? 1.0 : 0.0});
    });
    parts.metrics->AddSource(AddProcessSamples);
  }

  std::string StoreProblem() const {
    const std::shared_ptr<DiskAlarm>& alarm = parts.context->disk_alarm;
    const auto raised = alarm == nullptr ? std::nullopt : alarm->Look();
    return raised ? raised->reason : "";
  }

  HttpAnswer Ready(bool verbose) const {
    ReadyFacts facts;
    facts.serving = parts.is_serving();
    facts.draining = parts.context->intake->draining();
    facts.store_problem = StoreProblem();
    facts.devices = parts.context->scheduler->Devices();
    const HealthChecks checks = ReadyChecks(facts);
    return {AllGood(checks) ? 200 : 503, HealthText(checks, verbose)};
  }

  HttpAnswer MetricsPage() const { return {200, parts.metrics->Text(), kMetricsType}; }

  // On the server's thread.
  void Serve(HttpRequest request, const HttpReply& reply) {
    const std::optional<WatchPage> page = PageOf(request.path);
    if (!page && parts.others) return parts.others(std::move(request), reply);
    if (!page) return reply({404, "There are /metrics, /livez and /readyz.\n"});
    if (request.method != "GET") {
      HttpAnswer refusal{405, "The pages answer GET alone.\n"};
      refusal.headers = "Allow: GET\r\n";
      return reply(std::move(refusal));
    }
    const bool verbose = IsVerbose(request);
    if (*page == WatchPage::kLive) {
      return pulse->Ask([reply, verbose] { reply({200, HealthText({{"workers", ""}}, verbose)}); });
    }
    const bool is_ready_page = *page == WatchPage::kReady;
    const bool taken = pages->TryPost({}, [this, is_ready_page, verbose, reply] {
      reply(is_ready_page ? Ready(verbose) : MetricsPage());
    });
    if (!taken) reply({503, "Too many requests wait.\n"});
  }

  const MonitoringParts parts;
  std::shared_ptr<PoolPulse> pulse;
  std::unique_ptr<WorkerPool> pages;
  std::unique_ptr<HttpServer> server;  // ends first: it posts to the pool
};

Monitoring::Monitoring(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Monitoring::~Monitoring() = default;

Result<std::unique_ptr<Monitoring>> Monitoring::Start(const Config& config, MonitoringParts parts) {
  auto impl = std::make_unique<Impl>(std::move(parts));
  impl->AddSources();
  if (!config.metrics_address.empty()) {
    WB_ASSIGN(const ListenAddress address, ParseMetricsAddress(config.metrics_address));
    const HttpLimits limits = impl->parts.limits;
    impl->pulse = std::make_shared<PoolPulse>(impl->parts.workers);
    impl->pages = std::make_unique<WorkerPool>(kPageThreads, 2 * limits.connections);
    Impl* const pages = impl.get();
    WB_ASSIGN(impl->server, HttpServer::Open(address, limits,
                                             [pages](HttpRequest request, const HttpReply& reply) {
                                               pages->Serve(std::move(request), reply);
                                             }));
  }
  return std::unique_ptr<Monitoring>(new Monitoring(std::move(impl)));
}

std::string Monitoring::address() const {
  return impl_->server == nullptr ? "" : impl_->server->address().ToString();
}

void KnowMethods(const MethodTable& table, RpcMetrics* metrics) {
  for (const UnaryMethod& method : table.unary) metrics->Know(method.path, RpcType::kUnary);
  for (const auto& method : table.client_streams) {
    metrics->Know(method.path, RpcType::kClientStream);
  }
  for (const auto& method : table.server_streams) {
    metrics->Know(method.path, RpcType::kServerStream);
  }
  for (const auto& method : table.sessions) metrics->Know(method.path, RpcType::kBidiStream);
}

}  // namespace wb
