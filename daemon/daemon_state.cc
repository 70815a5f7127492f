#include "daemon/daemon_state.h"

#include <chrono>
#include <utility>

#include "daemon/checkpoints/checkpoints.h"
#include "daemon/config/cluster_settings.h"
#include "daemon/config/engine_settings.h"
#include "daemon/inspection/core_of_instance.h"
#include "daemon/inspection/dump_keeper.h"
#include "daemon/inspection/inspection_service.h"
#include "daemon/inspection/instance_plan.h"
#include "daemon/process/clock.h"
#include "daemon/process/log.h"
#include "daemon/profiles/profiles_service.h"
#include "daemon/services/join_cluster.h"
#include "daemon/services/link_job.h"
#include "daemon/services/restore.h"
#include "daemon/sessions/sessions_service.h"
#include "daemon/store/cordons.h"
#include "daemon/store/names.h"

namespace wb {

using std::chrono::nanoseconds;

DaemonState::DaemonState(const Config& config, Scheduler* scheduler,
                         std::shared_ptr<MetricRegistry> metrics, TokenTable* token_table)
    : config_(config),
      scheduler_(scheduler),
      metrics_(std::move(metrics)),
      token_table_(token_table) {}

DaemonState::~DaemonState() = default;

Status DaemonState::Open(DaemonParts* parts, std::vector<std::string> listening) {
  const StartRetry retry(nanoseconds(config_.postgres_timeout), parts->pause);
  MakeContext();
  WB_TRY(OpenStore(*parts, retry));
  FillContext(parts, std::move(listening));
  WB_TRY(StartTraces(parts->observers.get()));
  WB_TRY(OpenCheckpoints(*parts));
  WB_TRY(StartInspection(*parts));
  WB_TRY(OpenProfiles());
  return Restore(retry);
}

void DaemonState::MakeContext() {
  context_ = std::make_shared<ServiceContext>();
  context_->config = std::make_shared<LiveConfig>(config_);
  context_->modules = std::make_shared<MemoryModuleStore>(config_.max_modules_bytes);
  context_->linked = std::make_shared<LinkedModules>();
  context_->inputs =
      std::make_shared<MemoryInputStore>(InputLimits{config_.max_inputs_bytes, config_.max_inputs});
}

Status DaemonState::OpenStore(const DaemonParts& parts, const StartRetry& retry) {
  const StorePlace place = {parts.state_directory, parts.room_at};
  WB_ASSIGN(opened_, wb::OpenStore(config_, place, metrics_, retry, context_.get()));
  context_->intake = std::make_shared<JobIntake>(opened_.jobs, scheduler_);
  return LoadRegistry(retry);
}

Status DaemonState::LoadRegistry(const StartRetry& retry) {
  const std::shared_ptr<Registry>& registry = opened_.registry;
  context_->owners = std::make_shared<Owners>(registry);
  context_->tokens = std::make_shared<Tokens>(registry, token_table_, UnixNow);
  context_->cordons =
      std::make_shared<Cordons>(scheduler_, registry, UnixNow, DevicePrefix(config_));
  WB_TRY(retry.Run("owners", [this] { return context_->owners->Load(); }));
  WB_TRY(retry.Run("tokens", [this] { return context_->tokens->Load(); }));
  return retry.Run("orders to devices", [this] { return context_->cordons->Load(); });
}

void DaemonState::FillContext(DaemonParts* parts, std::vector<std::string> listening) {
  context_->scheduler = scheduler_;
  context_->cordons->Restore();
  context_->bursts = std::make_shared<BurstLog>(UnixNow);
  if (parts->observers != nullptr) parts->observers->Add(context_->bursts);
  context_->kernel_texts = std::move(parts->kernel_texts);
  context_->profiler = std::move(parts->profiler);
  context_->check_module = std::move(parts->check_module);
  context_->compiler_version = std::move(parts->compiler_version);
  context_->listening = std::move(listening);
  context_->start_unix_ns = UnixNow();
}

Status DaemonState::StartTraces(ObserverRelay* observers) {
  WB_ASSIGN(traces_, Traces::Start(config_, metrics_));
  if (traces_ == nullptr) return {};
  const std::shared_ptr<TraceCollector> collector = traces_->collector();
  if (observers != nullptr) observers->Add(collector);
  context_->intake->AddWrapSink(
      [collector](const JobInfo& job, const auto&, std::shared_ptr<ResultSink> sink) {
        return collector->Wrap(job, std::move(sink));
      });
  return {};
}

Status DaemonState::OpenCheckpoints(const DaemonParts& parts) {
  const std::string folder = context_->is_durable ? parts.state_directory + "/states" : "";
  Checkpoints::Parts keeping;
  WB_ASSIGN(keeping.files,
            StateFiles::Open(folder, {config_.max_states_bytes, config_.max_job_states_bytes}));
  keeping.store = opened_.jobs;
  keeping.scheduler = scheduler_;
  keeping.compiler = context_->compiler_version;
  context_->checkpoints = std::make_shared<Checkpoints>(std::move(keeping));
  return {};
}

// The keeper is a part of the context, which its functions must not keep.
Status DaemonState::StartInspection(const DaemonParts& parts) {
  context_->inspector = parts.inspector;
  if (parts.inspector == nullptr || config_.max_dumps_bytes == 0) return {};
  const std::string folder = context_->is_durable ? parts.state_directory + "/dumps" : "";
  DumpKeeper::Parts keeping;
  WB_ASSIGN(keeping.files,
            DumpFiles::Open(folder, {config_.max_dumps_bytes, config_.max_job_dumps_bytes}));
  keeping.inspector = parts.inspector;
  const std::weak_ptr<const ServiceContext> weak = context_;
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
  context_->dumps = std::make_shared<DumpKeeper>(std::move(keeping));
  context_->intake->AddWrapSink(
      [keeper = std::weak_ptr(context_->dumps)](const JobInfo& job, const auto& sent,
                                                std::shared_ptr<ResultSink> sink) {
        const std::shared_ptr<DumpKeeper> held = keeper.lock();
        return held == nullptr ? sink : held->Wrap(job, sent, std::move(sink));
      });
  return {};
}

Status DaemonState::OpenProfiles() {
  const std::string& folder = context_->state_directory;
  WB_ASSIGN(auto kept, KeptProfiles::Open(folder.empty() ? "" : folder + "/profiles"));
  profiles_ = std::make_shared<JobProfiles>(context_.get(), std::move(kept));
  context_->intake->SetOnAccepted(
      [watcher = profiles_](const JobInfo& job) { watcher->Watch(job); });
  return {};
}

Status DaemonState::Restore(const StartRetry& retry) {
  WB_TRY(retry.Run("modules", [this] { return RestoreModules(*context_); }));
  if (opened_.cluster != nullptr) return retry.Run("shared jobs", [this] { return Join(); });
  if (opened_.durable == nullptr) return {};
  WB_TRY(retry.Run("jobs", [this] { return RestoreJobs(*context_, opened_.durable.get()); }));
  if (context_->dumps != nullptr) context_->dumps->Restore(context_->intake->store());
  return retry.Run("what nobody owns", [this] { return RestoreOwners(*context_); });
}

Status DaemonState::Join() {
  ClusterJoin join;
  join.shared = opened_.shared;
  join.jobs = opened_.cluster;
  join.lease = nanoseconds(config_.cluster_lease);
  join.max_memory_bytes = config_.max_results_memory_bytes;
  join.tenants = EngineSettings(config_).tenants;
  WB_ASSIGN(member_, JoinCluster(context_, join));
  return {};
}

std::vector<MethodTable> DaemonState::OpenServices(SessionModules modules) {
  std::vector<MethodTable> tables;
  tables.push_back(ModulesService(context_));
  tables.push_back(InputsService(context_));
  tables.push_back(JobsService(context_));
  tables.push_back(AdminService(context_));
  tables.push_back(TenantsService(context_));
  tables.push_back(InspectionService(context_));
  tables.push_back(ProfilesService(context_, profiles_));
  tables.push_back(OpenSessions(std::move(modules)));
  return tables;
}

MethodTable DaemonState::OpenSessions(SessionModules modules) {
  sessions_ = std::make_shared<SessionTable>(config_.max_sessions,
                                             [intake = context_->intake](const std::string& id) {
                                               const Result<JobInfo> job = intake->store().Get(id);
                                               return job.ok() && !IsTerminal(job->state);
                                             });
  // The table keeps the store, which closes its files when the daemon ends; metrics may end later.
  metrics_->AddSource([weak = std::weak_ptr(sessions_)](Samples* samples) {
    const std::shared_ptr<SessionTable> table = weak.lock();
    if (table == nullptr) return;
    samples->push_back({Metric::kSessions, {}, static_cast<double>(table->size())});
    samples->push_back({Metric::kSessionsBytes, {}, static_cast<double>(table->bytes())});
  });
  const auto budget = std::make_shared<const ResidentBudget>(config_.max_sessions_bytes);
  return SessionsService({context_, sessions_, budget, std::move(modules)});
}

void DaemonState::Tick(WorkerPool* pool) {
  if (context_->disk_alarm != nullptr) (void)context_->disk_alarm->Look();
  context_->intake->Tick();
  context_->checkpoints->Tick();
  if (context_->dumps != nullptr) context_->dumps->ForgetGone(context_->intake->store());
  if (traces_ != nullptr) traces_->collector()->Tick();
  for (const SessionInfo& closed : sessions_->CloseIdle(UnixNow())) {
    Log(LogLevel::kInfo, "session_closed", {{"session", closed.id}, {"why", "unused"}});
  }
  if (profiles_->Tick()) pool->Post({}, [this] { profiles_->Make(); });
}

Scheduler::KeeperOf DaemonState::KeepersAtStop() const {
  if (opened_.durable == nullptr || !config_.checkpoint_on_stop) return {};
  const nanoseconds time(config_.drain_timeout + config_.checkpoint_timeout);
  return context_->checkpoints->KeepersUntil(std::chrono::steady_clock::now() + time);
}

}  // namespace wb
