#include <memory>
#include <string>
#include <utility>

#include "scheduler/create_inspector.h"
#include "scheduler/devices/compile/child_process.h"
#include "scheduler/engine_host/start_remote_device.h"
#include "scheduler/scheduler_parts.h"
#include "scheduler/starts/common_starts.h"

namespace wb {
namespace {

// Of the processes that run instances a second time.
constexpr int kReplayNiceness = 10;

constexpr uint64_t kStartHostBytes = uint64_t{512}
                                     << 20;  // of the process that runs a common start

DeviceStarter StarterOf(const SchedulerSettings& settings, Engine engine, std::string id,
                        uint32_t gpu_ordinal = 0) {
  EngineHostSettings host;
  host.program = settings.engine_host_path;
  host.engine = engine;
  host.id = std::move(id);
  host.gpu_ordinal = gpu_ordinal;
  host.threads = settings.cpu_threads;
  host.memory_bytes = settings.device_memory_bytes;
  host.compiler_path = settings.compiler_path;
  host.cuda_libraries = settings.cuda_libraries;
  host.metal = settings.metal;
  host.cuda_resident = settings.cuda.policy == DevicePolicy::kPersistent;
  host.low_priority = settings.cuda.policy == DevicePolicy::kQuiet;
  host.cuda_maps_memory = settings.cuda_maps_memory;
  host.compile = settings.compile;
  host.compile_parallel =
      settings.CompileParallel() + 2;  // one full build behind a quick one, one best
  host.max_silence = settings.engine_max_silence;
  host.isolation = settings.isolation;
  // No Mac can isolate a process so, and what stands in for Metal in tests is not isolated.
  const bool is_mac = engine == Engine::kMetal && host.isolation == Isolation::kAuto;
  if (is_mac || (IsGpu(engine) && !settings.isolates_gpus)) host.isolation = Isolation::kOff;
  host.log = settings.log;
  // While a compiler works the interpreter keeps all processors busy: it must not hinder that.
  if (engine == Engine::kInterpreter) host.niceness = ChildLimits().niceness;
  return
      [host](std::function<void()> on_lost) { return StartRemoteDevice(host, std::move(on_lost)); };
}

// Of instances that run once more, and are not in a hurry.
EngineHostSettings AgainHost(const SchedulerSettings& settings, std::string id,
                             uint64_t memory_bytes, std::chrono::milliseconds time) {
  EngineHostSettings host;
  host.program = settings.engine_host_path;
  host.engine = Engine::kInterpreter;
  host.id = std::move(id);
  host.threads = 1;
  host.memory_bytes = host.max_process_bytes = memory_bytes;
  host.compile.max_time = std::chrono::milliseconds(0);  // it compiles nothing
  host.patience = time;
  host.max_silence = settings.engine_max_silence;
  host.isolation = settings.isolation;
  host.niceness = kReplayNiceness;
  return host;
}

// Common starts run in an engine host of their own.
decltype(CompilerCalls::start) StartsOf(const SchedulerSettings& settings,
                                        std::shared_ptr<LoweredModules> modules) {
  const EngineHostSettings host = AgainHost(settings, "start", kStartHostBytes, 2 * kMostStartTime);
  const auto starter = [host](std::function<void()> on_lost) {
    return StartRemoteDevice(host, std::move(on_lost));
  };
  const auto log = [log = settings.log](const std::string& why) {
    if (log) log(Severity::kWarning, why);
  };
  return [starts = std::make_shared<CommonStarts>(std::move(modules), starter, log)](
             const LoweredModuleRef& module, const StartCall& call) {
    return starts->Get(module, call);
  };
}

}  // namespace

std::unique_ptr<Inspector> CreateInspector(const SchedulerSettings& settings,
                                           const InspectionLimits& limits,
                                           std::shared_ptr<LoweredModules> modules) {
  const EngineHostSettings host =
      AgainHost(settings, "inspection", limits.memory_bytes, limits.time);
  return std::make_unique<Inspector>(
      std::move(modules),
      [host](std::function<void()> on_lost) {
        return StartRemoteInspection(host, std::move(on_lost));
      },
      limits);
}

DeviceStarter ReplayStarter(const SchedulerSettings& settings) {
  EngineHostSettings host =
      AgainHost(settings, "replay", settings.backtraces.memory_bytes, settings.backtraces.time);
  host.traces = true;
  return
      [host](std::function<void()> on_lost) { return StartRemoteDevice(host, std::move(on_lost)); };
}

DeviceStarter ProfileStarter(const SchedulerSettings& settings) {
  EngineHostSettings host =
      AgainHost(settings, "profile", settings.profiles.memory_bytes, settings.profiles.time);
  host.traces = host.profiles = true;
  return
      [host](std::function<void()> on_lost) { return StartRemoteDevice(host, std::move(on_lost)); };
}

Result<std::unique_ptr<Scheduler>> CreateScheduler(const SchedulerSettings& settings,
                                                   std::shared_ptr<LoweredModules> modules) {
  SchedulerParts parts;
  if (!modules) modules = std::make_shared<LoweredModules>();
  if (settings.backtraces.per_job > 0) {
    parts.tracer = std::make_unique<Tracer>(modules, ReplayStarter(settings), settings.backtraces);
  }
  parts.compiler = RealCompiler(modules, settings.compile.max_time);
  parts.compiler.start = StartsOf(settings, std::move(modules));
  parts.clock = &SystemClock();
  if (settings.cpu_enabled)
    parts.cpu = StarterOf(settings, Engine::kCpu, settings.device_prefix + "cpu0");
  parts.cpu_may_lack = settings.compiler_path.empty();  // one that was named must work
  parts.interpreter =
      StarterOf(settings, Engine::kInterpreter, settings.device_prefix + "interpreter0");
  parts.gpus.kind = EngineName(settings.gpu);
  parts.gpus.choice = {settings.cuda_ordinals, settings.cuda_required};
  if (settings.gpu == Engine::kMetal) parts.gpus.choice.ordinals = {0};
  if (settings.cuda_enabled) {
    parts.gpus.starter = [settings, kind = parts.gpus.kind](uint32_t ordinal) {
      return StarterOf(settings, settings.gpu,
                       settings.device_prefix + kind + std::to_string(ordinal), ordinal);
    };
  }
  return AssembleScheduler(settings, std::move(parts));
}

}  // namespace wb
