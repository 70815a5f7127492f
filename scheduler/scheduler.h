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
#include "scheduler/control/thermal_governor.h"
#include "scheduler/job/device_gate.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/job.h"
#include "scheduler/job/result_batch.h"
#include "scheduler/job/tenants.h"
#include "scheduler/job/waits.h"

namespace wb {

using JobId = uint64_t;

enum class JobPhase : uint8_t { kQueued, kCompiling, kRunning, kEnded };

struct JobProgress {
  JobPhase phase = JobPhase::kQueued;
  std::string waiting_for;       // one sentence while queued or compiling
  std::string device;            // id, once chosen
  std::string placement_reason;  // why there
  uint64_t finished = 0;
  uint64_t running = 0;
  JobUsage usage;
};

// Where a job's results go. Calls come one at a time, from a scheduler thread; they must not block
// and must not call the scheduler.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  // Instances that Reserve would grant now. Any thread.
  virtual uint64_t Room() const = 0;
  // Room for the results of instances that are about to start: as many as are granted, at most
  // those asked for. Each takes its part until OnResults brings its result, or Release says that it
  // has stopped without one. OnResults never brings more results than were granted. Any thread.
  virtual uint64_t Reserve(uint64_t instances) = 0;
  virtual void Release(uint64_t instances) = 0;
  virtual void OnResults(ResultBatch results) = 0;
  // Results of instances that never ran, or not to their end. They need no room.
  virtual void OnEnded(const EndedRange& range) = 0;
  virtual void OnProgress(const JobProgress& progress) = 0;
  // Exactly once, last. Not ok: the job could not run (the reason is the status). Ok also when
  // cancelled: `cancelled` says so, and instances without a result have none.
  virtual void OnEnd(Status status, bool cancelled, const JobUsage& usage) = 0;
};

struct DeviceSettings {
  std::chrono::milliseconds burst_max_duration{500};
  std::chrono::milliseconds cooldown{0};    // after a burst, as thermal_governor.h says
  uint32_t burst_instances = 1024;          // seats of one dispatch; 0: the device's threads
  uint64_t slice_fuel = uint64_t{1} << 62;  // of an instance in one launch
  // The rest of what thermal_governor.h says.
  DevicePolicy policy = DevicePolicy::kBurst;
  float temp_high = 80;
  float temp_low = 70;
  float power_share = 0.8F;
  float quiet_share = 0.25F;
  std::chrono::milliseconds longest_rest{60000};
  bool shares_launches = true;  // small jobs that may (coach_plan.h) sit in one dispatch
  bool tunes_residency = true;  // of GPUs: how many lanes run at a time is measured, else all do

  ThermalSettings Thermal() const {
    return {policy,   burst_max_duration, cooldown,    temp_high,
            temp_low, power_share,        quiet_share, longest_rest};
  }
};

struct DeviceStatus {
  DeviceInfo info;
  bool healthy = true;
  std::string state;  // "idle", "bursting", "cooling", "restarting", "not responding"
  std::string rest;   // why and until when, while it is cooling
  DevicePolicy policy = DevicePolicy::kBurst;
  Telemetry telemetry;  // of the last look at its sensors
  uint64_t bursts = 0;  // launches
  uint64_t instances = 0;
  uint64_t fuel = 0;
  uint64_t restarts = 0;
  std::chrono::nanoseconds busy{};
  int64_t host_pid = 0;  // engine host process, 0 if in process
  uint64_t jobs = 0;     // that are here
  // Whether it takes instances, for how long that has been so, and how long who is seated may stay.
  Gate gate = Gate::kOpen;
  std::chrono::nanoseconds gate_age{};
  std::optional<std::chrono::nanoseconds> drain_left;
  std::string trouble;  // while it is lost or silent: why, and what comes next; empty: none
};

// What an order to a device came to.
struct GateChange {
  DeviceStatus status;
  bool changed = false;  // else it was so already
};

struct CacheEntry {
  std::string key;     // 64 hex digits
  std::string module;  // digest of the module, hex
  std::string target;
  uint64_t bytes = 0;
  int64_t last_used_unix_ms = 0;
};
struct CacheStats {
  uint64_t hits = 0, misses = 0, corrupt = 0, evictions = 0, bytes = 0, max_bytes = 0;
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  // Ok: the sink's OnEnd will come exactly once. Errors as EncodeProgram's, and LIMIT_TOO_HIGH,
  // NO_DEVICE_FITS, QUEUE_FULL, INVALID_ARGUMENT; then nothing has happened.
  virtual Status Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) = 0;
  virtual void Cancel(JobId id) = 0;       // ends within one slice; unknown or ended: no effect
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
  virtual std::vector<CacheEntry> CacheList() const = 0;
  virtual CacheStats CacheStatus() const = 0;
  virtual Result<uint64_t> CachePrune(bool all) = 0;  // bytes freed; all: every entry
  // Takes nothing new, lets running jobs end until the deadline, cancels the rest: at once those
  // that have had no room for results for a second. Blocks.
  virtual void Drain(std::chrono::nanoseconds deadline) = 0;
};

// What a GPU is on this system.
#ifdef __APPLE__
inline constexpr Engine kGpuHere = Engine::kMetal;
#else
inline constexpr Engine kGpuHere = Engine::kCuda;
#endif

struct SchedulerSettings {
  DeviceSettings cpu;
  DeviceSettings cuda;
  DeviceSettings interpreter;
  bool cpu_enabled = true;
  uint32_t cpu_threads = 0;   // 0: all
  bool cuda_enabled = false;  // GPUs, of this kind
  Engine gpu = kGpuHere;
  std::vector<uint32_t> cuda_ordinals;  // as the driver counts; empty: all there are
  bool cuda_required =
      false;  // without them there is no scheduler (gpu_search.h); else the log says why
  std::string cuda_driver_path;  // libraries; empty: the usual places
  std::string cuda_nvrtc_path;
  std::string cuda_nvml_path;
  bool cuda_maps_memory = true;  // lane state grows by memory that is mapped, where the GPU can
  std::chrono::milliseconds metal_slice{0};  // of a Mac's GPU; 0: as the device chooses
  std::string metal_capture;                 // a .gputrace of the first launch; empty: none
  std::string engine_host_path;              // the wasmburst-engine binary
  std::string cache_directory;               // created 0700
  uint64_t cache_max_bytes = uint64_t{1} << 30;
  std::string compiler_path;  // clang++ or g++; empty: searched in PATH
  // An engine host that does not even say that it lives for so long is ended and started again.
  std::chrono::milliseconds engine_max_silence{10000};
  std::chrono::milliseconds compile_max_time{120000};
  uint64_t compile_max_memory_bytes = uint64_t{4} << 30;
  uint32_t compile_parallel = 0;  // of one device at a time; 0: half the processors, 1 to 8
  uint32_t CompileParallel() const;
  uint64_t compile_max_text_bytes = uint64_t{64} << 20;  // longer kernel texts are not compiled
  std::chrono::nanoseconds compile_retry_after = std::chrono::minutes(30);  // after a failure
  // Jobs that may run anywhere start on the interpreter while their module compiles, and move when
  // that is done.
  bool start_on_interpreter = true;
  uint64_t max_memory_bytes = uint64_t{4} << 30;  // highest JobLimits::max_memory_bytes
  // Of instances on their way from one device to another; those for whose state there is no room
  // start again. A hundred lanes with 2 MiB each, or thousands of small ones: enough for all that
  // processors run at a time, and little beside what a device holds.
  uint64_t moved_max_bytes = uint64_t{256} << 20;
  uint32_t max_queued_jobs = 10000;
  Tenants tenants;
  uint64_t device_memory_bytes = 0;  // lane state budget per device; 0: half of physical memory
  std::function<void(const std::string&)> log = {};  // what an operator should know; any thread
};

// Starts the engine hosts. Errors: IO_ERROR (engine host or cache directory), NO_DEVICE_FITS.
Result<std::unique_ptr<Scheduler>> CreateScheduler(const SchedulerSettings& settings);

}  // namespace wb
