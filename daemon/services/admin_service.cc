#include <optional>
#include <utility>

#include "daemon/config/shown_settings.h"
#include "daemon/process/clock.h"
#include "daemon/process/log.h"
#include "daemon/process/version.h"
#include "daemon/services/backup_source.h"
#include "daemon/services/burst_source.h"
#include "daemon/services/device_jobs.h"
#include "daemon/services/owned.h"
#include "daemon/services/services.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_time.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

void AddAlarms(const ServiceContext& context, v1::ServerInfo* info) {
  if (context.disk_alarm == nullptr) return;
  const std::optional<DiskAlarm::Raised> raised = context.disk_alarm->Look();
  if (!raised) return;
  v1::Alarm* alarm = info->add_alarms();
  alarm->set_name(context.config->Get()->postgres.empty() ? "disk" : "database");
  alarm->set_reason(raised->reason);
  alarm->set_advice(raised->advice);
  TimeToProto(raised->since_unix_ns, alarm->mutable_since());
}

Result<v1::ServerInfo> GetServerInfo(const ServiceContext& context) {
  v1::ServerInfo info;
  info.set_version(kVersion);
  info.set_compiler_version(context.compiler_version);
  for (const std::string& address : context.listening) info.add_listen(address);
  TimeToProto(context.start_unix_ns, info.mutable_start_time());
  info.set_draining(context.intake->draining());
  info.set_modules(context.modules->count());
  info.set_module_bytes(context.modules->bytes());
  const JobStoreFigures figures = context.intake->store().Figures();
  info.set_jobs(figures.jobs);
  info.set_result_bytes(figures.result_bytes);
  info.set_request_bytes(figures.request_bytes);
  info.set_inputs(context.inputs->count());
  info.set_input_bytes(context.inputs->bytes());
  info.set_max_input_bytes(context.config->Get()->max_input_bytes);
  info.set_max_message_bytes(context.config->Get()->max_message_bytes);
  info.set_max_module_bytes(context.config->Get()->max_module_bytes);
  info.set_max_instances(context.config->Get()->max_instances);
  info.add_extensions("compile_module");
  info.add_extensions("inputs");
  info.add_extensions("bursts");
  TimeToProto(UnixNow(), info.mutable_current_time());
  AddAlarms(context, &info);
  return info;
}

// That the caller sees.
std::vector<JobInfo> ActiveJobsFor(const ServiceContext& context, const Caller& caller) {
  return context.intake->store().List(FilterFor(caller, kActiveStates), "", SIZE_MAX).jobs;
}

Result<v1::ListDevicesResponse> ListDevices(const ServiceContext& context, const Caller& caller) {
  v1::ListDevicesResponse response;
  DevicesToProto(*context.scheduler, ActiveJobsFor(context, caller), caller, &response);
  if (context.hosts) AddDevicesOfOthers(context.hosts(), &response);
  return response;
}

Result<v1::ListDevicesResponse> FindDevices(const ServiceContext& context, const Caller& caller) {
  for (const std::string& id : context.scheduler->FindDevices()) {
    Log(LogLevel::kInfo, "device_found", {{"device", id}});
  }
  context.cordons->Restore();  // one that was closed and gone may be back
  return ListDevices(context, caller);
}

Result<v1::ChangeDeviceResponse> OrderGate(const ServiceContext& context, const Caller& caller,
                                           const std::string& name, const GateOrder& order) {
  WB_ASSIGN(const std::string id, ParseDeviceName(name));
  WB_ASSIGN(const GateChange change, context.cordons->Order(id, order));
  Log(LogLevel::kInfo, "device_gate",
      {{"device", id},
       {"gate", std::string(GateName(change.status.gate))},
       {"caller", caller.name}});
  v1::ChangeDeviceResponse response;
  const std::vector<JobInfo> jobs = ActiveJobsFor(context, caller);
  DeviceToProto(change.status, caller, response.mutable_device());
  AddJobsOf(id, jobs, response.mutable_device());
  response.set_changed(change.changed);
  AddStranded(context.scheduler->Devices(), jobs, &response);
  return response;
}

Result<v1::ChangeDeviceResponse> DrainDevice(const ServiceContext& context, const Caller& caller,
                                             const v1::DrainDeviceRequest& request) {
  GateOrder order{Gate::kDraining, {}};
  const bool at_once = request.deadline().seconds() == 0 && request.deadline().nanos() == 0;
  if (request.has_deadline() && !at_once) {
    WB_ASSIGN(const auto deadline, DurationFromProto(request.deadline(), "deadline"));
    order.deadline = deadline.value_or(order.deadline);
  }
  return OrderGate(context, caller, request.name(), order);
}

Result<v1::ListCacheResponse> ListCache(const ServiceContext& context) {
  v1::ListCacheResponse response;
  for (const CacheEntry& entry : context.scheduler->CacheList()) {
    v1::CacheEntry* shown = response.add_entries();
    shown->set_key(entry.key);
    shown->set_module("modules/sha256:" + entry.module);
    shown->set_target(entry.target);
    shown->set_bytes(entry.bytes);
    TimeToProto(entry.last_used_unix_ms * 1'000'000, shown->mutable_last_used());
  }
  CacheStats stats = context.scheduler->CacheStatus();
  response.set_bytes(stats.bytes);
  response.set_max_bytes(stats.max_bytes);
  response.set_hits(stats.hits);
  response.set_misses(stats.misses);
  response.set_corrupt(stats.corrupt);
  response.set_foreign(stats.foreign);
  response.set_evictions(stats.evictions);
  return response;
}

Result<v1::PruneCacheResponse> PruneCache(const ServiceContext& context, bool all) {
  WB_ASSIGN(uint64_t freed, context.scheduler->CachePrune(all));
  v1::PruneCacheResponse response;
  response.set_freed_bytes(freed);
  return response;
}

v1::ServerConfig GetConfig(const Config& config) {
  v1::ServerConfig response;
  response.set_file(config.origins.file);
  for (const ShownSetting& setting : ShowSettings(config)) {
    v1::ServerSetting* shown = response.add_settings();
    shown->set_name(setting.name);
    shown->set_value(setting.value);
    shown->set_origin(setting.origin);
    shown->set_default_value(setting.default_value);
    shown->set_reloads(setting.reloads);
    shown->set_after_restart(setting.after_restart);
  }
  return response;
}

void AddDeviceMethods(const ServiceContextRef& context, MethodTable* table) {
  table->AddUnary<v1::ListDevicesRequest>(
      "ListDevices", RunOn::kCaller, [context](const v1::ListDevicesRequest&, const Call& call) {
        return ListDevices(*context, call.caller);
      });
  table->AddUnary<v1::FindDevicesRequest>(
      "FindDevices", RunOn::kPool, [context](const v1::FindDevicesRequest&, const Call& call) {
        return FindDevices(*context, call.caller);
      });
  table->AddUnary<v1::CordonDeviceRequest>(
      "CordonDevice", RunOn::kPool,
      [context](const v1::CordonDeviceRequest& request, const Call& call) {
        return OrderGate(*context, call.caller, request.name(), {Gate::kCordoned, {}});
      });
  table->AddUnary<v1::UncordonDeviceRequest>(
      "UncordonDevice", RunOn::kPool,
      [context](const v1::UncordonDeviceRequest& request, const Call& call) {
        return OrderGate(*context, call.caller, request.name(), {Gate::kOpen, {}});
      });
  table->AddUnary<v1::DrainDeviceRequest>(
      "DrainDevice", RunOn::kPool,
      [context](const v1::DrainDeviceRequest& request, const Call& call) {
        return DrainDevice(*context, call.caller, request);
      });
  table->AddServerStream<v1::WatchBurstsRequest>(
      "WatchBursts", [context](const v1::WatchBurstsRequest& request, const Call& call,
                               std::function<void()> wake) {
        return WatchBursts(*context, call.caller, request, std::move(wake));
      });
}

}  // namespace

MethodTable AdminService(ServiceContextRef context) {
  MethodTable table("wasmburst.v1.Admin");
  AddDeviceMethods(context, &table);
  table.AddUnary<v1::GetServerInfoRequest>(
      "GetServerInfo", RunOn::kCaller, [context](const auto&) { return GetServerInfo(*context); });
  table.AddUnary<v1::GetConfigRequest>("GetConfig", RunOn::kPool,
                                       [context](const auto&) -> Result<v1::ServerConfig> {
                                         return GetConfig(*context->config->Get());
                                       });
  table.AddServerStream<v1::CreateBackupRequest>(
      "CreateBackup", [context](const auto&, const Call&, std::function<void()> wake) {
        return BackUp(*context, std::move(wake));
      });
  table.AddUnary<v1::ListCacheRequest>("ListCache", RunOn::kPool,
                                       [context](const auto&) { return ListCache(*context); });
  table.AddUnary<v1::PruneCacheRequest>("PruneCache", RunOn::kPool,
                                        [context](const v1::PruneCacheRequest& request) {
                                          return PruneCache(*context, request.all());
                                        });
  return table;
}

}  // namespace wb
