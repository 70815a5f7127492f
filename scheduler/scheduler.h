#pragma once

// Scheduler: owns time. Takes jobs, gets their pipelines built or from the cache, runs them in
// bursts on its devices and hands every instance's result to the job's sink.
//
// Threads: all methods from any thread; none blocks on a device or a compiler.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/base/scheduler_log.h"
#include "scheduler/bursts/scheduler_observer.h"
#include "scheduler/control/device_settings.h"
#include "scheduler/devices/compiler_limits.h"
#include "scheduler/devices/cuda/cuda_libraries.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/metal/metal_options.h"
#include "scheduler/job/device_gate.h"
#include "scheduler/job/job.h"
#include "scheduler/job/job_progress.h"
#include "scheduler/job/tenants.h"
#include "scheduler/job/waits.h"
#include "scheduler/pipelines/cache_figures.h"
#include "scheduler/pipelines/pipeline_status.h"
#include "scheduler/run/device_status.h"
#include "scheduler/trace/profile_limits.h"
#include "scheduler/trace/replay_limits.h"

namespace wb {

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  // Ok: the sink's OnEnd will come exactly once. Errors as EncodeProgram's, and LIMIT_TOO_HIGH,
  // NO_DEVICE_FITS, QUEUE_FULL, INVALID_ARGUMENT; then nothing has happened.
  virtual Status Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) = 0;
  virtual void Cancel(JobId id) = 0;  // ends within one slice; unknown or ended: no effect
  // Ends it as Cancel does, but the states of its instances that are left midway go to the keeper,
  // before OnEnd: a job of the same spec may begin with them (JobBefore), on any device. NOT_FOUND:
  // unknown or ended. INVALID_ARGUMENT: it makes host calls, whose callers know nothing of states.
  // Instances that start in groups have none.
  virtual Status Checkpoint(JobId id, StateKeeperRef keeper) = 0;
  virtual void RoomChanged(JobId id) = 0;  // the sink's Room() has grown
  // All the reasons why the job does not run now. Empty: it runs, has ended or is not known.
  virtual std::vector<WaitReason> Waits(JobId id) const = 0;

  virtual std::vector<DeviceStatus> Devices() const = 0;
  // A sentence for each device that was looked for and is not there: what is missing, and where it
  // was looked for. As of the start.
  virtual std::vector<std::string> MissingDevices() const = 0;
  // Looks for GPUs that were not there before; those that open take part from now on. Their ids.
  // Takes as long as engine hosts take to start.
  virtual std::vector<std::string> FindDevices() = 0;
  // Closes a device to instances or opens it (device_gate.h). NOT_FOUND names the devices.
  virtual Result<GateChange> OrderGate(const std::string& device, const GateOrder& order) = 0;
  // What the device has of a module, the most recently loaded first. Empty: no job of it has been
  // there since the daemon started, or the pipelines of many others came after. NOT_FOUND names the
  // devices.
  virtual Result<std::vector<PipelineStatus>> Pipelines(const std::string& device,
                                                        const Digest& module) const = 0;
  virtual std::vector<CacheEntry> CacheList() const = 0;
  virtual CacheStats CacheStatus() const = 0;
  virtual Result<uint64_t> CachePrune(bool all) = 0;  // bytes freed; all: every entry
  // Takes nothing new, lets running jobs end until the deadline, cancels the rest: at once those
  // that have had no room for results for a second. A job that `keeper_of` has a keeper for leaves
  // to it as with Checkpoint; `keeper_of` may be empty. Blocks.
  using KeeperOf = std::function<StateKeeperRef(JobId)>;
  virtual void Drain(std::chrono::nanoseconds deadline, const KeeperOf& keeper_of) = 0;
};

// What a GPU is on this system.
#ifdef __APPLE__
inline constexpr Engine kGpuHere = Engine::kMetal;
#else
inline constexpr Engine kGpuHere = Engine::kCuda;
#endif

class LoweredModules;  // scheduler/base/lowered_modules.h

struct SchedulerSettings {
  // What the ids of its devices begin with, so that those of several schedulers differ.
  std::string device_prefix = {};
  DeviceSettings cpu;
  DeviceSettings cuda;
  DeviceSettings interpreter;
  bool cpu_enabled = true;
  uint32_t cpu_threads = 0;   // 0: all
  bool cuda_enabled = false;  // GPUs, of this kind
  Engine gpu = kGpuHere;
  std::vector<uint32_t> cuda_ordinals;  // as the driver counts; empty: all there are
  // Without them there is no scheduler (gpu_search.h); else the log says why.
  bool cuda_required = false;
  CudaLibraries cuda_libraries;
  bool cuda_maps_memory = true;  // lane state grows by memory that is mapped, where the GPU can
  MetalOptions metal;
  std::string engine_host_path;  // the wasmburst-engine binary
  std::string cache_directory;   // created 0700
  uint64_t cache_max_bytes = uint64_t{1} << 30;
  std::string cache_key_folder;  // cache_key.h; empty: a key of this scheduler alone
  std::string compiler_path;     // empty: wasmburst-clang, else searched in PATH
  // An engine host that does not even say that it lives for so long is ended and started again.
  std::chrono::milliseconds engine_max_silence{10000};
  CompilerLimits compile;
  // Of engine hosts; compile.isolation is that of their compilers. Off here, because tests have
  // compilers that write where they like; the daemon's configuration says auto.
  Isolation isolation = Isolation::kOff;
  bool isolates_gpus = true;      // false: GPUs' hosts are not isolated, their compilers are
  uint32_t compile_parallel = 0;  // of one device at a time; 0: half the processors, 1 to 8
  uint32_t CompileParallel() const;
  uint64_t compile_max_text_bytes = uint64_t{64} << 20;  // longer kernel texts are not compiled
  std::chrono::nanoseconds compile_retry_after = std::chrono::minutes(30);  // after a failure
  bool compile_quick_only = false;  // a kernel text that has a quick build gets no full one
  // Jobs that may run anywhere start on the interpreter while their module compiles, and move when
  // that is done.
  bool start_on_interpreter = true;
  uint64_t max_memory_bytes = uint64_t{4} << 30;  // highest JobLimits::max_memory_bytes
  // Of instances on their way from one device to another; those for whose state there is no room
  // start again. A hundred lanes with 2 MiB each, or thousands of small ones: enough for all that
  // processors run at a time, and little beside what a device holds.
  uint64_t moved_max_bytes = uint64_t{256} << 20;
  uint32_t max_queued_jobs = 10000;
  ReplayLimits backtraces;
  ProfileLimits profiles;
  Tenants tenants;
  uint64_t device_memory_bytes = 0;  // lane state budget per device; 0: half of physical memory
  SchedulerLog log = {};
  std::shared_ptr<SchedulerObserver> observer;  // told of bursts and builds; may be null
};

// Starts the engine hosts. `modules` (optional): the owner of lowered modules, for a process that
// lowers modules itself too. Errors: IO_ERROR (engine host or cache directory), NO_DEVICE_FITS.
Result<std::unique_ptr<Scheduler>> CreateScheduler(
    const SchedulerSettings& settings, std::shared_ptr<LoweredModules> modules = nullptr);

}  // namespace wb
