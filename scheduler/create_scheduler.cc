#include <utility>

#include "scheduler/engine_host/remote_device.h"
#include "scheduler/quoted.h"
#include "scheduler/scheduler_parts.h"

namespace wb {
namespace {

DeviceStarter StarterOf(const SchedulerSettings& settings, Engine engine, std::string id) {
  EngineHostSettings host;
  host.program = settings.engine_host_path;
  host.engine = engine;
  host.id = std::move(id);
  host.threads = settings.cpu_threads;
  host.memory_bytes = settings.device_memory_bytes;
  host.compiler_path = settings.compiler_path;
  host.compile_max_time = settings.compile_max_time;
  host.compile_max_memory_bytes = settings.compile_max_memory_bytes;
  return
      [host](std::function<void()> on_lost) { return StartRemoteDevice(host, std::move(on_lost)); };
}

// A machine without a compiler still has its interpreter; a compiler that was named must work.
bool CanDoWithoutCpu(const SchedulerSettings& settings, const Status& status) {
  return status.reason() == Reason::kConfigInvalid && settings.compiler_path.empty();
}

}  // namespace

Result<std::unique_ptr<Scheduler>> CreateScheduler(const SchedulerSettings& settings) {
  SchedulerParts parts;
  parts.compiler = RealCompiler();
  parts.clock = &SystemClock();
  parts.interpreter = StarterOf(settings, Engine::kInterpreter, "interpreter0");
  if (settings.cpu_enabled) parts.cpu = StarterOf(settings, Engine::kCpu, "cpu0");
  auto scheduler = AssembleScheduler(settings, parts);
  if (scheduler.ok() || !CanDoWithoutCpu(settings, scheduler.status())) return scheduler;
  if (settings.log) {
    settings.log("There is no CPU device, only the interpreter: " + scheduler.status().message());
  }
  parts.cpu = nullptr;
  return AssembleScheduler(settings, std::move(parts));
}

}  // namespace wb
