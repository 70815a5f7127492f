#include "daemon/daemon.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "daemon/call_pools.h"
#include "daemon/cluster/cluster_member.h"
#include "daemon/config/engine_settings.h"
#include "daemon/daemon_state.h"
#include "daemon/identity/authenticator.h"
#include "daemon/metrics/rpc_metrics.h"
#include "daemon/monitoring/monitoring.h"
#include "daemon/page/page.h"
#include "daemon/page/request_rules.h"
#include "daemon/process/clock.h"
#include "daemon/process/idle_memory.h"
#include "daemon/process/log.h"
#include "daemon/process/notify.h"
#include "daemon/process/ticker.h"
#include "daemon/rpc/server.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kHousekeeping = std::chrono::seconds(1);
// For clients to read the ends of their jobs after the drain.
constexpr nanoseconds kLastWords = std::chrono::seconds(2);
// For what is left of chunks to reach the database, behind the drain.
constexpr nanoseconds kLastCommits = std::chrono::seconds(10);

void LogAccess(const AccessLine& line) {
  std::vector<LogField> fields = {
      {"method", line.path},
      {"peer", line.peer},
      {"caller", line.caller},
      {"code", line.status.ok() ? "OK" : std::string(ReasonName(line.status.reason()))},
      {"duration_ms", std::to_string(static_cast<double>(line.duration.count()) / 1e6)}};
  fields.push_back({"trace", line.trace.trace_id});
  if (line.messages > 0) fields.push_back({"messages", std::to_string(line.messages)});
  if (!line.status.ok()) fields.push_back({"error", line.status.message()});
  bool ours = line.status.code() == Code::kInternal;
  Log(ours ? LogLevel::kError : LogLevel::kInfo, "rpc", fields);
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

// In the order in which they are destroyed from the last to the first: the tickers stop first,
// then the server ends all calls, then the pools that they ran on.
struct Daemon::Impl {
  Impl(const Config& configuration, Scheduler* jobs_scheduler)
      : config(configuration),
        scheduler(jobs_scheduler),
        pools(config),
        authenticator({}, &token_table, UnixNow),
        runtime(
            pools.pools(), nanoseconds(config.heartbeat),
            [this](const AccessLine& line) {
              LogAccess(line);
              calls.Ended(line.path, line.status, line.duration);
              if (state.traces() == nullptr) return;
              state.traces()->collector()->OnCall(
                  {line.path, line.trace, line.duration, line.status, line.messages});
            },
            &authenticator, [this](const std::string& path) { calls.Started(path); }) {}

  // The services, then metrics and health. CONFIG_INVALID, IO_ERROR.
  Status Serve(std::vector<MethodTable> tables, const std::string& folder);
  // Of the pages' listener, where there is one.
  Status OpenPage(MonitoringParts* parts);
  void StartTickers();

  const Config config;
  Scheduler* const scheduler;
  const std::shared_ptr<MetricRegistry> metrics = std::make_shared<MetricRegistry>();
  RpcMetrics calls{metrics};
  DaemonState state{config, scheduler, metrics, &token_table};
  CallPools pools;
  TokenTable token_table;
  Authenticator authenticator;
  RpcRuntime runtime;
  std::unique_ptr<Server> server;
  std::unique_ptr<Page> page;  // null: there is none
  std::atomic<bool> is_serving{false};
  std::unique_ptr<Monitoring> monitoring;  // ends before the page, which it asks
  IdleMemory memory;
  std::unique_ptr<Ticker> heartbeat;
  std::unique_ptr<Ticker> housekeeping;
  std::unique_ptr<Ticker> watchdog;
};

Daemon::Daemon(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Daemon::~Daemon() = default;

Status Daemon::Impl::OpenPage(MonitoringParts* parts) {
  if (!HasPage(config)) return {};
  WB_ASSIGN(Server::Connector connect, server->Inside(PageOrigin(config)));
  page = std::make_unique<Page>(HostsOf(config.page_hosts), std::move(connect), PageFiles());
  parts->limits = PageLimits(config);
  parts->others = [shown = page.get()](HttpRequest request, const HttpReply& reply) {
    shown->Serve(std::move(request), reply);
  };
  return {};
}

Status Daemon::Impl::Serve(std::vector<MethodTable> tables, const std::string& folder) {
  for (const MethodTable& table : tables) KnowMethods(table, &calls);
  WB_TRY(server->Serve(std::move(tables), &runtime, [scheduler = scheduler](int64_t process) {
    const std::vector<DeviceStatus> devices = scheduler->Devices();
    return std::any_of(devices.begin(), devices.end(), [process](const DeviceStatus& device) {
      return device.host_pid == process;
    });
  }));
  is_serving = true;
  MonitoringParts parts;
  parts.metrics = metrics;
  parts.context = state.context();
  parts.workers = &pools.prepare();
  parts.is_serving = [this] { return is_serving.load(); };
  parts.state_directory = folder;
  WB_TRY(OpenPage(&parts));
  WB_ASSIGN(monitoring, Monitoring::Start(config, std::move(parts)));
  return {};
}

void Daemon::Impl::StartTickers() {
  nanoseconds beat = std::max(nanoseconds(config.heartbeat) / 4, nanoseconds(1'000'000));
  heartbeat = std::make_unique<Ticker>(std::min(beat, kHousekeeping), [this] { runtime.Tick(); });
  housekeeping = std::make_unique<Ticker>(kHousekeeping, [this] {
    state.Tick(&pools.compile());
    memory.GiveBack();
    LogLeftOut();
  });
  if (std::optional<nanoseconds> interval = WatchdogInterval()) {
    // From the pool: a sign that it still works.
    watchdog = std::make_unique<Ticker>(
        *interval, [this] { pools.prepare().TryPost({}, [] { NotifySystem("WATCHDOG=1"); }); });
  }
}

Result<std::unique_ptr<Daemon>> Daemon::Start(const Config& config, DaemonParts parts) {
  auto impl = std::make_unique<Impl>(config, parts.scheduler);
  WB_ASSIGN(IdentityRules rules, RulesOf(config));
  impl->authenticator.SetRules(std::move(rules));
  WB_ASSIGN(impl->server, Server::Open(config));
  WB_TRY(impl->state.Open(&parts, impl->server->addresses()));
  WB_TRY(impl->Serve(impl->state.OpenServices(std::move(parts.session_modules)),
                     parts.state_directory));
  impl->StartTickers();
  for (const std::string& address : impl->state.context()->listening) {
    Log(LogLevel::kInfo, "listening", {{"address", address}});
  }
  return std::unique_ptr<Daemon>(new Daemon(std::move(impl)));
}

std::vector<std::string> Daemon::addresses() const { return impl_->state.context()->listening; }

std::string Daemon::metrics_address() const { return impl_->monitoring->address(); }

Status Daemon::Reload(const Config& read) {
  const std::shared_ptr<const Config> running = impl_->state.context()->config->Get();
  Reloaded reloaded = wb::Reload(*running, read);
  WB_ASSIGN(IdentityRules rules, RulesOf(reloaded.config));
  const bool has_tls = !reloaded.config.tls_certificate.empty();
  if (has_tls) {
    WB_ASSIGN(const TlsFiles tls, ReadTlsFiles(reloaded.config));
    impl_->server->SetTls(tls);
  }
  impl_->authenticator.SetRules(std::move(rules));
  SetLogLevel(reloaded.config.log_level);
  impl_->state.context()->config->Set(std::move(reloaded.config));
  Log(LogLevel::kInfo, "reloaded",
      {{"changed", Joined(reloaded.changed)}, {"for_restart", Joined(reloaded.for_restart)}});
  return {};
}

void Daemon::Drain() {
  Log(LogLevel::kInfo, "draining", {});
  impl_->is_serving = false;
  impl_->server->SetHealth(false);
  impl_->state.context()->intake->StopAdmitting();
  ClusterMember* const member = impl_->state.member();
  if (member != nullptr) member->StopClaiming();
  impl_->scheduler->Drain(nanoseconds(impl_->config.drain_timeout), impl_->state.KeepersAtStop());
  if (member != nullptr) member->Leave(kLastCommits);
  if (impl_->state.context()->profiler != nullptr) impl_->state.context()->profiler->Stop();
  impl_->server->Shutdown(kLastWords);
  Log(LogLevel::kInfo, "drained", {});
}

}  // namespace wb
