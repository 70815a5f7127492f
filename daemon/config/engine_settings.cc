#include "daemon/config/engine_settings.h"

#include <chrono>

#include "daemon/config/cluster_settings.h"
#include "daemon/config/places.h"
#include "scheduler/devices/gpu_search.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

std::chrono::milliseconds Milliseconds(int64_t time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(nanoseconds(time));
}

float Percent(uint64_t percent) { return static_cast<float>(percent) / 100; }

DeviceSettings ProcessorSettings(const Config& config) {
  DeviceSettings settings;
  settings.burst_max_duration = Milliseconds(config.burst_max_duration);
  settings.cooldown = Milliseconds(config.burst_cooldown);
  settings.burst_instances = static_cast<uint32_t>(config.burst_instances);
  settings.slice_fuel = config.burst_slice_fuel;
  settings.input_percent = static_cast<uint32_t>(config.input_percent);
  settings.shares_launches = config.burst_share;
  settings.policy = PolicyOf(config.burst_policy).value_or(settings.policy);
  settings.temp_high = static_cast<float>(config.temp_high);
  settings.temp_low = static_cast<float>(config.temp_low);
  settings.power_share = Percent(config.power_percent);
  settings.quiet_share = Percent(config.quiet_percent);
  settings.longest_rest = Milliseconds(config.longest_rest);
  return settings;
}

// As the processors', where it has no setting of its own.
DeviceSettings GpuSettings(const Config& config) {
  DeviceSettings settings = ProcessorSettings(config);
  settings.burst_instances = static_cast<uint32_t>(config.cuda_instances);
  settings.cooldown = Milliseconds(config.cuda_cooldown);
  if (config.cuda_max_duration != 0) {
    settings.burst_max_duration = Milliseconds(config.cuda_max_duration);
  }
  settings.tunes_occupancy = config.cuda_residency == "auto";
  settings.policy = PolicyOf(config.cuda_policy).value_or(settings.policy);
  if (config.cuda_temp_high != 0) settings.temp_high = static_cast<float>(config.cuda_temp_high);
  if (config.cuda_temp_low != 0) settings.temp_low = static_cast<float>(config.cuda_temp_low);
  return settings;
}

TenantSettings TenantOf(const Config::Tenant& tenant) {
  return {static_cast<double>(tenant.weight), static_cast<uint32_t>(tenant.max_running_jobs),
          static_cast<uint32_t>(tenant.max_jobs), tenant.max_memory_bytes};
}

}  // namespace

SchedulerSettings EngineSettings(const Config& config) {
  SchedulerSettings settings;
  settings.device_prefix = DevicePrefix(config);
  settings.cpu = settings.interpreter = ProcessorSettings(config);
  settings.cuda = GpuSettings(config);
  settings.cuda_enabled = config.cuda_enabled != "off";
  for (const Engine kind : {Engine::kCuda, Engine::kMetal}) {
    if (config.gpu_kind == EngineName(kind)) settings.gpu = kind;
  }
  settings.cuda_ordinals = ParseGpuOrdinals(config.gpu_devices).value();
  settings.cuda_required = config.cuda_enabled == "on";
  settings.cuda_libraries = config.cuda_libraries;
  settings.cuda_maps_memory = config.cuda_memory == "mapped";
  settings.metal = config.metal;
  settings.cpu_enabled = config.cpu_enabled;
  settings.cpu_threads = static_cast<uint32_t>(config.cpu_threads);
  settings.engine_host_path = FindProgram(config.engine_host_path, Companion::kEngineHost);
  settings.engine_max_silence = Milliseconds(config.engine_max_silence);
  settings.cache_directory = CacheDirectory(config.cache_directory);
  settings.cache_max_bytes = config.cache_max_bytes;
  if (config.durable) settings.cache_key_folder = StateDirectory(config.state_directory);
  settings.compiler_path = config.compiler_path;
  settings.compile = config.compile;
  settings.isolation = IsolationOf(config.isolation).value_or(Isolation::kAuto);
  settings.compile.isolation = settings.isolation;
  settings.isolates_gpus = config.cuda_isolation != "off";
  settings.compile_max_text_bytes = config.compile_max_text_bytes;
  settings.compile_retry_after = nanoseconds(config.compile_retry_after);
  settings.compile_quick_only = config.compile_quick_only;
  settings.compile_parallel = static_cast<uint32_t>(config.compile_parallel);
  settings.start_on_interpreter = config.start_on_interpreter;
  settings.max_memory_bytes = config.highest_limits.max_memory_bytes;
  settings.max_queued_jobs = static_cast<uint32_t>(config.max_jobs);
  settings.tenants.others = TenantOf(config.other_tenants);
  for (const auto& [name, tenant] : config.tenants) {
    settings.tenants.named[name] = TenantOf(tenant);
  }
  settings.backtraces = config.backtraces;
  settings.profiles = config.profiles;
  settings.device_memory_bytes = config.device_memory_bytes;
  return settings;
}

}  // namespace wb
