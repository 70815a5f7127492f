#include "daemon/services/device_jobs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "daemon/process/clock.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_time.h"
#include "scheduler/sensors/thermal_state.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr int kMostShown = 20;

bool MayRunOn(Placement placement, Engine engine) {
  const bool is_gpu = engine == Engine::kCuda || engine == Engine::kMetal;
  switch (placement) {
    case Placement::kAuto: return true;
    case Placement::kCpu: return engine == Engine::kCpu;
    case Placement::kInterpreter: return engine == Engine::kInterpreter;
    case Placement::kGpu: return is_gpu;
  }
  return false;
}

// A job's devices stand with commas: "cpu0, cuda0".
bool IsOn(const JobInfo& job, const std::string& device) {
  constexpr std::string_view kBetween = ", ";
  std::string_view left = job.device;
  while (!left.empty()) {
    const size_t end = std::min(left.find(kBetween), left.size());
    if (left.substr(0, end) == device) return true;
    left.remove_prefix(std::min(end + kBetween.size(), left.size()));
  }
  return false;
}

bool IsStranded(const std::vector<DeviceStatus>& devices, const JobInfo& job) {
  const auto serves = [&job](const DeviceStatus& device) {
    const bool is_there = IsOn(job, device.info.id);
    return device.gate == Gate::kOpen &&
           (is_there || MayRunOn(job.request->placement, device.info.engine));
  };
  return std::none_of(devices.begin(), devices.end(), serves);
}

void TelemetryToProto(const Telemetry& telemetry, v1::Telemetry* proto) {
  if (telemetry.celsius) proto->set_celsius(*telemetry.celsius);
  if (telemetry.watts) proto->set_watts(*telemetry.watts);
  if (telemetry.watts_limit) proto->set_watts_limit(*telemetry.watts_limit);
  proto->set_throttled(telemetry.throttled);
  if (telemetry.utilisation) proto->set_utilisation(*telemetry.utilisation);
  if (telemetry.memory_used) proto->set_memory_used(*telemetry.memory_used);
  if (telemetry.memory_total) proto->set_memory_total(*telemetry.memory_total);
  if (telemetry.thermal_state) {
    proto->set_thermal_state(std::string(ThermalStateOf(*telemetry.thermal_state).name));
  }
}

}  // namespace

void GateToProto(const DeviceStatus& status, int64_t unix_now_ns, v1::Device* proto) {
  const bool is_drained = status.gate == Gate::kDraining && status.jobs == 0;
  proto->set_gate(is_drained ? "drained" : std::string(GateName(status.gate)));
  proto->set_trouble(status.trouble);
  if (status.gate == Gate::kOpen) return;
  TimeToProto(unix_now_ns - status.gate_age.count(), proto->mutable_gate_time());
  if (is_drained || !status.drain_left) return;
  TimeToProto(unix_now_ns + status.drain_left->count(), proto->mutable_drain_deadline());
}

void LaunchesToProto(const DeviceStatus& status, const Caller& caller, v1::Device* proto) {
  for (const LaunchInFlight& launch : status.in_flight) {
    v1::LaunchInFlight* shown = proto->add_launches_in_flight();
    DurationToProto(launch.age, shown->mutable_age());
    DurationToProto(launch.longest, shown->mutable_longest());
    shown->set_lanes(launch.lanes);
    shown->set_instances(launch.seated);
    shown->set_build(static_cast<v1::Build>(launch.build));
    shown->set_job_count(launch.jobs);
    for (const LaunchInFlight::Job& job : launch.shown) {
      if (caller.MaySeeJobsOf(job.tenant)) shown->add_jobs(JobName(job.name));
    }
  }
}

void AddJobsOf(const std::string& device, const std::vector<JobInfo>& jobs, v1::Device* proto) {
  uint64_t count = 0;
  for (const JobInfo& job : jobs) {
    if (!IsOn(job, device) || ++count > kMostShown) continue;
    v1::DeviceJob* shown = proto->add_jobs();
    shown->set_job(JobName(job.id));
    shown->set_running(job.counts.running);
    shown->set_waiting_for(job.waiting_for);
  }
  proto->set_job_count(count);
}

void AddStranded(const std::vector<DeviceStatus>& devices, const std::vector<JobInfo>& jobs,
                 v1::ChangeDeviceResponse* proto) {
  uint64_t count = 0;
  for (const JobInfo& job : jobs) {
    if (!IsStranded(devices, job) || ++count > kMostShown) continue;
    proto->add_stranded_jobs(JobName(job.id));
  }
  proto->set_stranded_count(count);
}

void DeviceToProto(const DeviceStatus& status, const Caller& caller, v1::Device* proto) {
  proto->set_name(DeviceName(status.info.id));
  proto->set_engine(std::string(EngineName(status.info.engine)));
  proto->set_model(status.info.name);
  proto->set_target(status.info.target);
  proto->set_threads(status.info.threads);
  proto->set_memory_bytes(status.info.memory_bytes);
  proto->set_healthy(status.healthy);
  proto->set_state(status.state);
  proto->set_bursts(status.bursts);
  proto->set_instances(status.instances);
  proto->set_fuel(status.fuel);
  proto->set_restarts(status.restarts);
  DurationToProto(status.busy, proto->mutable_busy());
  if (status.joules) proto->set_joules(*status.joules);
  proto->set_host_pid(status.host_pid);
  proto->set_policy(std::string(PolicyName(status.policy)));
  proto->set_rest(status.rest);
  TelemetryToProto(status.telemetry, proto->mutable_telemetry());
  proto->set_sensors(status.info.sensors);
  GateToProto(status, UnixNow(), proto);
  LaunchesToProto(status, caller, proto);
}

void DevicesToProto(const Scheduler& scheduler, const std::vector<JobInfo>& jobs,
                    const Caller& caller, v1::ListDevicesResponse* proto) {
  for (const DeviceStatus& status : scheduler.Devices()) {
    v1::Device* device = proto->add_devices();
    DeviceToProto(status, caller, device);
    AddJobsOf(status.info.id, jobs, device);
  }
  for (std::string& words : scheduler.MissingDevices()) proto->add_missing(std::move(words));
}

void AddDevicesOfOthers(const std::vector<HostRow>& hosts, v1::ListDevicesResponse* proto) {
  for (const HostRow& host : hosts) {
    v1::ListDevicesResponse its;
    if (host.is_dropped || !its.ParseFromString(host.facts)) continue;
    for (v1::Device& device : *its.mutable_devices()) {
      const auto& all = proto->devices();
      const bool is_known = std::any_of(all.begin(), all.end(), [&device](const v1::Device& known) {
        return known.name() == device.name();
      });
      if (!is_known) *proto->add_devices() = std::move(device);
    }
  }
}

}  // namespace wb
