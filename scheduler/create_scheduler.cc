#include <memory>
#include <utility>

#include "scheduler/devices/compile/child_process.h"
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
  host.cuda_driver_path = settings.cuda_driver_path;
  host.cuda_nvrtc_path = settings.cuda_nvrtc_path;
  host.cuda_nvml_path = settings.cuda_nvml_path;
  host.metal_slice = settings.metal_slice;
  host.metal_capture = settings.metal_capture;
  host.compile_max_time = settings.compile_max_time;
  host.compile_max_memory_bytes = settings.compile_max_memory_bytes;
  host.compile_parallel = settings.CompileParallel() + 1;  // one full build behind a quick one
  // While a compiler works the interpreter keeps all processors busy: it must not hinder that.
  if (engine == Engine::kInterpreter) host.niceness = ChildLimits().niceness;
  return
      [host](std::function<void()> on_lost) { return StartRemoteDevice(host, std::move(on_lost)); };
}

// A device that this machine may lack: what its first start said is remembered.
struct Optional {
  DeviceStarter starter;
  std::shared_ptr<Status> said = std::make_shared<Status>();

  explicit Optional(DeviceStarter start) {
    starter = [start = std::move(start), said = said](std::function<void()> on_lost) {
      auto started = start(std::move(on_lost));
      if (!started.ok()) *said = started.status();
      return started;
    };
  }
  bool IsMissing() const { return said->reason() == Reason::kConfigInvalid; }
};

// Leaves out what is missing here and need not be there; false if nothing is.
bool LeaveOut(const SchedulerSettings& settings, const Optional& cpu, const Optional& cuda,
              SchedulerParts* parts) {
  const auto log = [&settings](const std::string& line) {
    if (settings.log) settings.log(line);
  };
  // A compiler that was named must work.
  if (parts->cpu && cpu.IsMissing() && settings.compiler_path.empty()) {
    log("There is no CPU device: " + cpu.said->message());
    parts->cpu = nullptr;
    return true;
  }
  if (parts->cuda && cuda.IsMissing() && !settings.cuda_required) {
    log("There is no GPU: " + cuda.said->message());
    parts->cuda = nullptr;
    return true;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<Scheduler>> CreateScheduler(const SchedulerSettings& settings) {
  const Optional cpu(StarterOf(settings, Engine::kCpu, "cpu0"));
  SchedulerParts parts;
  parts.gpu_id = std::string(EngineName(settings.gpu)) + "0";
  const Optional cuda(StarterOf(settings, settings.gpu, parts.gpu_id));
  parts.compiler = RealCompiler();
  parts.clock = &SystemClock();
  parts.interpreter = StarterOf(settings, Engine::kInterpreter, "interpreter0");
  if (settings.cpu_enabled) parts.cpu = cpu.starter;
  if (settings.cuda_enabled) parts.cuda = cuda.starter;
  for (;;) {
    auto scheduler = AssembleScheduler(settings, parts);
    if (scheduler.ok() || !LeaveOut(settings, cpu, cuda, &parts)) return scheduler;
  }
}

}  // namespace wb
