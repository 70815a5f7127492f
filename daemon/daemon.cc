#include "daemon/daemon.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "daemon/checkpoints/checkpoints.h"
#include "daemon/config/cluster_settings.h"
#include "daemon/config/engine_settings.h"
#include "daemon/identity/authenticator.h"
#include "daemon/inspection/core_of_instance.h"
#include "daemon/inspection/dump_keeper.h"
#include "daemon/inspection/inspection_service.h"
#include "daemon/inspection/instance_plan.h"
#include "daemon/metrics/rpc_metrics.h"
#include "daemon/monitoring/monitoring.h"
#include "daemon/opened_store.h"
#include "daemon/page/page.h"
#include "daemon/page/request_rules.h"
#include "daemon/process/clock.h"
#include "daemon/process/idle_memory.h"
#include "daemon/process/log.h"
#include "daemon/process/notify.h"
#include "daemon/process/ticker.h"
#include "daemon/process/worker_pool.h"
#include "daemon/profiles/profiles_service.h"
#include "daemon/rpc/server.h"
#include "daemon/services/join_cluster.h"
#include "daemon/services/link_job.h"
#include "daemon/services/restore.h"
#include "daemon/services/services.h"
#include "daemon/sessions/sessions_service.h"
#include "daemon/store/cordons.h"
#include "daemon/store/names.h"
#include "daemon/traces/traces.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

// Calls that may wait for a pool; beyond it QUEUE_FULL.
constexpr size_t kMostWaitingCompiles = 100;
constexpr size_t kStreamThreads = 2;
// One for each kind of work that is long: it takes no more than one processor, and the memory of
// one request, however many come.
constexpr size_t kLargeThreads = 1;
constexpr size_t kUploadThreads = 1;
constexpr size_t kCompileThreads = 1;
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

// All that one connection may have open at a time, as many of the tenant's others, and as many as
// both of other tenants (Turns).
size_t MostWaiting(const Config& config) { return 4 * config.max_concurrent_streams; }

// As many as gRPC may hold in memory.
size_t MostWaitingLarge(const Config& config) {
  return std::max<size_t>(2, config.grpc_memory_bytes / config.max_message_bytes);
}

}  // namespace

// In the order in which they are destroyed from the last to the first: the tickers stop first,
// then the server ends all calls, then the pool that they ran on.
struct Daemon::Impl {
  Impl(const Config& configuration, Scheduler* jobs_scheduler)
      : config(configuration),
        scheduler(jobs_scheduler),
        pool(config.worker_threads, MostWaiting(config)),
        large(kLargeThreads, MostWaitingLarge(config)),
        uploads(kUploadThreads, MostWaiting(config)),
        streams(kStreamThreads, MostWaiting(config)),
        compiles(kCompileThreads, kMostWaitingCompiles),
        authenticator({}, &token_table, UnixNow),
        runtime(
            {&pool, &large, &uploads, &streams, &compiles}, nanoseconds(config.heartbeat),
            [this](const AccessLine& line) {
              LogAccess(line);
              calls.Ended(line.path, line.status, line.duration);
              if (traces == nullptr) return;
              traces->collector()->OnCall(
                  {line.path, line.trace, line.duration, line.status, line.messages});
            },
            &authenticator, [this](const std::string& path) { calls.Started(path); }) {}

  // Spans of calls and jobs, where they go anywhere. CONFIG_INVALID, IO_ERROR.
  Status StartTraces(ObserverRelay* observers);
  // The services, then metrics and health. CONFIG_INVALID, IO_ERROR.
  Status Serve(std::vector<MethodTable> tables, const std::string& folder);
  // Of the pages' listener, where there is one.
  Status OpenPage(MonitoringParts* parts);
  // What is kept for those who look at instances. CONFIG_INVALID, IO_ERROR.
  Status OpenCheckpoints(const DaemonParts& parts);
  Scheduler::KeeperOf KeepersAtStop() const;
  Status StartInspection(const DaemonParts& parts);
  // Opens what outlives the daemon, if anything does. CONFIG_INVALID, IO_ERROR, MACHINE_FAULT.
  Status OpenStore(const DaemonParts& parts);
  Status LoadRegistry(const std::shared_ptr<Registry>& registry);
  // Of profiles that jobs asked for. IO_ERROR.
  Status OpenProfiles();
  MethodTable OpenSessions(SessionModules modules);
  // Of that: modules, jobs, and who owns them. IO_ERROR.
  Status RestoreAll();
  // Becomes one of the daemons that share the store. MACHINE_FAULT.
  Status Join();

  const Config config;
  Scheduler* const scheduler;
  const std::shared_ptr<MetricRegistry> metrics = std::make_shared<MetricRegistry>();
  RpcMetrics calls{metrics};
  OpenedStore opened;
  std::unique_ptr<Traces> traces;  // null: there are none
  std::shared_ptr<ServiceContext> context;
  std::shared_ptr<JobProfiles> profiles;
  std::shared_ptr<SessionTable> sessions;
  std::unique_ptr<ClusterMember> member;  // null: this daemon is alone
  WorkerPool pool;
  WorkerPool large;
  WorkerPool uploads;
  WorkerPool streams;
  WorkerPool compiles;
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

  void StartTickers() {
    nanoseconds beat = std::max(nanoseconds(config.heartbeat) / 4, nanoseconds(1'000'000));
    heartbeat = std::make_unique<Ticker>(std::min(beat, kHousekeeping), [this] { runtime.Tick(); });
    housekeeping = std::make_unique<Ticker>(kHousekeeping, [this] {
      if (context->disk_alarm != nullptr) (void)context->disk_alarm->Look();
      context->intake->Tick();
      context->checkpoints->Tick();
      if (context->dumps != nullptr) context->dumps->ForgetGone(context->intake->store());
      if (traces != nullptr) traces->collector()->Tick();
      for (const SessionInfo& closed : sessions->CloseIdle(UnixNow())) {
        Log(LogLevel::kInfo, "session_closed", {{"session", closed.id}, {"why", "unused"}});
      }
      if (profiles->Tick()) compiles.Post({}, [this] { profiles->Make(); });
      memory.GiveBack();
      LogLeftOut();
    });
    if (std::optional<nanoseconds> interval = WatchdogInterval()) {
      // From the pool: a sign that it still works.
      watchdog = std::make_unique<Ticker>(
          *interval, [this] { pool.TryPost({}, [] { NotifySystem("WATCHDOG=1"); }); });
    }
  }
};

Daemon::Daemon(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Daemon::~Daemon() = default;

Status Daemon::Impl::OpenStore(const DaemonParts& parts) {
  const StorePlace place = {parts.state_directory, parts.room_at};
  WB_ASSIGN(opened, wb::OpenStore(config, place, metrics, context.get()));
  context->intake = std::make_shared<JobIntake>(opened.jobs, scheduler);
  return LoadRegistry(opened.registry);
}

Status Daemon::Impl::LoadRegistry(const std::shared_ptr<Registry>& registry) {
  context->owners = std::make_shared<Owners>(registry);
  context->tokens = std::make_shared<Tokens>(registry, &token_table, UnixNow);
  context->cordons = std::make_shared<Cordons>(scheduler, registry, UnixNow, DevicePrefix(config));
  WB_TRY(context->owners->Load());
  WB_TRY(context->tokens->Load());
  return context->cordons->Load();
}

Status Daemon::Impl::StartTraces(ObserverRelay* observers) {
  WB_ASSIGN(traces, Traces::Start(config, metrics));
  if (traces == nullptr) return {};
  const std::shared_ptr<TraceCollector> collector = traces->collector();
  if (observers != nullptr) observers->Add(collector);
  context->intake->AddWrapSink(
      [collector](const JobInfo& job, const auto&, std::shared_ptr<ResultSink> sink) {
        return collector->Wrap(job, std::move(sink));
      });
  return {};
}

Status Daemon::Impl::OpenCheckpoints(const DaemonParts& parts) {
  const std::string folder = context->is_durable ? parts.state_directory + "/states" : "";
  Checkpoints::Parts keeping;
  WB_ASSIGN(keeping.files,
            StateFiles::Open(folder, {config.max_states_bytes, config.max_job_states_bytes}));
  keeping.store = opened.jobs;
  keeping.scheduler = scheduler;
  keeping.compiler = context->compiler_version;
  context->checkpoints = std::make_shared<Checkpoints>(std::move(keeping));
  return {};
}

// The keeper is a part of the context, which its functions must not keep.
Status Daemon::Impl::StartInspection(const DaemonParts& parts) {
  context->inspector = parts.inspector;
  if (parts.inspector == nullptr || config.max_dumps_bytes == 0) return {};
  const std::string folder = context->is_durable ? parts.state_directory + "/dumps" : "";
  DumpKeeper::Parts keeping;
  WB_ASSIGN(keeping.files,
            DumpFiles::Open(folder, {config.max_dumps_bytes, config.max_job_dumps_bytes}));
  keeping.inspector = parts.inspector;
  const std::weak_ptr<const ServiceContext> weak = context;
  keeping.plan = [weak](const Bytes& request) -> Result<JobPlan> {
    if (const auto held = weak.lock()) return PlanOfRequest(*held, request);
    return Status(Reason::kCancelled, "The daemon was ending.");
  };
  keeping.core = [weak](const JobInfo& job, const InspectedInstance& seen) -> Result<Bytes> {
    const auto held = weak.lock();
    if (held == nullptr) return Status(Reason::kCancelled, "The daemon was ending.");
    TrapPlaces places(held->modules, job.request);
    return CoreOf(JobName(job.id), seen, &places);
  };
  context->dumps = std::make_shared<DumpKeeper>(std::move(keeping));
  context->intake->AddWrapSink(
      [keeper = std::weak_ptr(context->dumps)](const JobInfo& job, const auto& sent,
                                               std::shared_ptr<ResultSink> sink) {
        const std::shared_ptr<DumpKeeper> held = keeper.lock();
        return held == nullptr ? sink : held->Wrap(job, sent, std::move(sink));
      });
  return {};
}

Status Daemon::Impl::OpenProfiles() {
  const std::string& folder = context->state_directory;
  WB_ASSIGN(auto kept, KeptProfiles::Open(folder.empty() ? "" : folder + "/profiles"));
  profiles = std::make_shared<JobProfiles>(context.get(), std::move(kept));
  context->intake->SetOnAccepted([watcher = profiles](const JobInfo& job) { watcher->Watch(job); });
  return {};
}

MethodTable Daemon::Impl::OpenSessions(SessionModules modules) {
  sessions = std::make_shared<SessionTable>(config.max_sessions,
                                            [intake = context->intake](const std::string& id) {
                                              const Result<JobInfo> job = intake->store().Get(id);
                                              return job.ok() && !IsTerminal(job->state);
                                            });
  // The table keeps the store, which closes its files when the daemon ends; metrics may end later.
  metrics->AddSource([weak = std::weak_ptr(sessions)](Samples* samples) {
    const std::shared_ptr<SessionTable> table = weak.lock();
    if (table == nullptr) return;
    samples->push_back({Metric::kSessions, {}, static_cast<double>(table->size())});
    samples->push_back({Metric::kSessionsBytes, {}, static_cast<double>(table->bytes())});
  });
  const auto budget = std::make_shared<const ResidentBudget>(config.max_sessions_bytes);
  return SessionsService({context, sessions, budget, std::move(modules)});
}

Status Daemon::Impl::RestoreAll() {
  WB_TRY(RestoreModules(*context));
  if (opened.cluster != nullptr) return Join();
  if (opened.durable == nullptr) return {};
  WB_TRY(RestoreJobs(*context, opened.durable.get()));
  if (context->dumps != nullptr) context->dumps->Restore(context->intake->store());
  return RestoreOwners(*context);
}

Status Daemon::Impl::Join() {
  ClusterJoin join;
  join.shared = opened.shared;
  join.jobs = opened.cluster;
  join.lease = nanoseconds(config.cluster_lease);
  join.max_memory_bytes = config.max_results_memory_bytes;
  join.tenants = EngineSettings(config).tenants;
  WB_ASSIGN(member, JoinCluster(context, join));
  return {};
}

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
  parts.context = context;
  parts.workers = &pool;
  parts.is_serving = [this] { return is_serving.load(); };
  parts.state_directory = folder;
  WB_TRY(OpenPage(&parts));
  WB_ASSIGN(monitoring, Monitoring::Start(config, std::move(parts)));
  return {};
}

Result<std::unique_ptr<Daemon>> Daemon::Start(const Config& config, DaemonParts parts) {
  auto impl = std::make_unique<Impl>(config, parts.scheduler);
  WB_ASSIGN(IdentityRules rules, RulesOf(config));
  impl->authenticator.SetRules(std::move(rules));
  WB_ASSIGN(impl->server, Server::Open(config));
  auto context = std::make_shared<ServiceContext>();
  impl->context = context;
  context->config = std::make_shared<LiveConfig>(config);
  context->modules = std::make_shared<MemoryModuleStore>(config.max_modules_bytes);
  context->linked = std::make_shared<LinkedModules>();
  context->inputs =
      std::make_shared<MemoryInputStore>(InputLimits{config.max_inputs_bytes, config.max_inputs});
  const std::string folder = parts.state_directory;
  WB_TRY(impl->OpenStore(parts));
  context->scheduler = parts.scheduler;
  context->cordons->Restore();
  context->bursts = std::make_shared<BurstLog>(UnixNow);
  if (parts.observers != nullptr) parts.observers->Add(context->bursts);
  context->kernel_texts = std::move(parts.kernel_texts);
  context->profiler = std::move(parts.profiler);
  context->check_module = std::move(parts.check_module);
  context->compiler_version = std::move(parts.compiler_version);
  context->listening = impl->server->addresses();
  context->start_unix_ns = UnixNow();
  WB_TRY(impl->StartTraces(parts.observers.get()));
  WB_TRY(impl->OpenCheckpoints(parts));
  WB_TRY(impl->StartInspection(parts));
  WB_TRY(impl->OpenProfiles());
  WB_TRY(impl->RestoreAll());
  std::vector<MethodTable> tables;
  tables.push_back(ModulesService(context));
  tables.push_back(InputsService(context));
  tables.push_back(JobsService(context));
  tables.push_back(AdminService(context));
  tables.push_back(TenantsService(context));
  tables.push_back(InspectionService(context));
  tables.push_back(ProfilesService(context, impl->profiles));
  tables.push_back(impl->OpenSessions(std::move(parts.session_modules)));
  WB_TRY(impl->Serve(std::move(tables), folder));
  impl->StartTickers();
  for (const std::string& address : context->listening) {
    Log(LogLevel::kInfo, "listening", {{"address", address}});
  }
  return std::unique_ptr<Daemon>(new Daemon(std::move(impl)));
}

// The states of jobs that go on in the next daemon.
Scheduler::KeeperOf Daemon::Impl::KeepersAtStop() const {
  if (opened.durable == nullptr || !config.checkpoint_on_stop) return {};
  const nanoseconds time(config.drain_timeout + config.checkpoint_timeout);
  return context->checkpoints->KeepersUntil(std::chrono::steady_clock::now() + time);
}

std::vector<std::string> Daemon::addresses() const { return impl_->context->listening; }

std::string Daemon::metrics_address() const { return impl_->monitoring->address(); }

Status Daemon::Reload(const Config& read) {
  const std::shared_ptr<const Config> running = impl_->context->config->Get();
  Reloaded reloaded = wb::Reload(*running, read);
  WB_ASSIGN(IdentityRules rules, RulesOf(reloaded.config));
  const bool has_tls = !reloaded.config.tls_certificate.empty();
  if (has_tls) {
    WB_ASSIGN(const TlsFiles tls, ReadTlsFiles(reloaded.config));
    impl_->server->SetTls(tls);
  }
  impl_->authenticator.SetRules(std::move(rules));
  SetLogLevel(reloaded.config.log_level);
  impl_->context->config->Set(std::move(reloaded.config));
  Log(LogLevel::kInfo, "reloaded",
      {{"changed", Joined(reloaded.changed)}, {"for_restart", Joined(reloaded.for_restart)}});
  return {};
}

void Daemon::Drain() {
  Log(LogLevel::kInfo, "draining", {});
  impl_->is_serving = false;
  impl_->server->SetHealth(false);
  impl_->context->intake->StopAdmitting();
  if (impl_->member != nullptr) impl_->member->StopClaiming();
  impl_->scheduler->Drain(nanoseconds(impl_->config.drain_timeout), impl_->KeepersAtStop());
  if (impl_->member != nullptr) impl_->member->Leave(kLastCommits);
  if (impl_->context->profiler != nullptr) impl_->context->profiler->Stop();
  impl_->server->Shutdown(kLastWords);
  Log(LogLevel::kInfo, "drained", {});
}

}  // namespace wb
