#pragma once

// Plain values that describe a job and what comes back. No threads, no devices.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "compiler/abi/lane.h"
#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/link/binding.h"
#include "compiler/wasm/module.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/kernel_build.h"
#include "scheduler/job/column_data.h"
#include "scheduler/job/given_state.h"
#include "scheduler/job/instance_set.h"
#include "scheduler/job/lane_program.h"

namespace wb {

class HostCallQueue;      // scheduler/job/host_calls/host_call_queue.h
class ResidentInstances;  // scheduler/job/resident/resident_instances.h

// One input value per instance, given by rule so that millions of instances cost nothing.
struct Column {
  enum class Kind : uint8_t {
    kConstant,  // values[0] for all
    kList,      // values[i]
    kRange,     // start + i * step (integers modulo their size; floats in IEEE arithmetic)
    kBytes,     // bytes[i], or bytes[0] for all when there is one
  };
  Kind kind = Kind::kConstant;
  ValueType type = ValueType::kI32;
  std::vector<Value> values;
  Value start;
  Value step;
  std::vector<Bytes> bytes;
  // Of kList and kBytes, in place of `values` and `bytes`: what is long, or shared between jobs.
  std::shared_ptr<const ColumnData> data;

  uint64_t count() const;                     // values or byte strings that it holds
  Value At(uint64_t instance) const;          // not kBytes
  ByteView BytesAt(uint64_t instance) const;  // kBytes
  uint64_t LongestBytes() const;              // kBytes
};

struct JobLimits {
  uint64_t max_fuel = uint64_t{1} << 40;           // per instance
  uint64_t max_memory_bytes = uint64_t{32} << 20;  // linear memory per instance
  uint32_t max_stack = 32768;                      // 8-byte slots per instance
  uint32_t max_output_bytes = 64 << 10;            // per instance
  // Of the whole job (job_meter.h); unset: none.
  std::optional<uint64_t> max_total_fuel;                  // of all instances together
  std::optional<uint64_t> max_results_bytes;               // values and outputs of all results
  std::optional<std::chrono::nanoseconds> max_time;        // from its first turn on a device
  std::optional<std::chrono::nanoseconds> max_total_time;  // from its submission
};

enum class Placement : uint8_t { kAuto, kCpu, kInterpreter, kGpu };
std::string_view PlacementName(Placement placement);

// What an earlier scheduler did of a job, where this one goes on with it.
struct JobBefore {
  InstanceSet finished;  // they have their results, and do not run again
  uint32_t attempt = 2;  // of those that run now (InstanceResult::attempt), from 1 on
  // What the finished ones count for, as in JobMeter: in max_total_fuel and JobUsage::fuel, and in
  // max_results_bytes (ResultBatch::bytes).
  uint64_t fuel = 0;
  uint64_t result_bytes = 0;
  std::chrono::nanoseconds clock_ran{};  // of max_time: from its first turn on a device
  std::chrono::nanoseconds age{};        // of max_total_time: since its submission
  // Instances that begin in a state, ascending, and not among the finished ones. Their attempts are
  // their own. Where the state does not fit they begin at their start. Not of jobs whose instances
  // start in groups: those ignore them. Jobs with host calls must keep them.
  std::vector<LeftInstance> midway;
  // These never begin at their start: they wait for a dispatch that has room for their state, and
  // after an engine's death they begin in it again. Those that can go nowhere end kFailed.
  bool must_keep_states = false;
  // JobSpec::InstancesPlanned() of the job that left the states: its lane program follows from it,
  // and a state fits no other. 0: all of its instances.
  uint64_t midway_planned = 0;
  uint64_t lost_states = 0;  // states that could not be had any more (JobUsage)
};

// What a caller or a module says of the instances' lengths. It changes no result: on devices whose
// lanes run in step it says how lanes wait for each other.
enum class LaneHint : uint8_t {
  kNone,
  kDivergent,  // of unequal lengths: lanes take new instances at once, and turns begin short
  kUniform,    // of equal lengths: lanes wait for their group for longer
};
std::string_view LaneHintName(LaneHint hint);  // "divergent", "uniform"; of none ""
std::optional<LaneHint> LaneHintNamed(
    std::string_view name);  // nullopt: there is none of that name

struct JobSpec {
  std::shared_ptr<const Module> module;
  std::vector<Step> steps;  // at least one
  std::vector<Column> columns;
  // Of a module with primitives: the bytes columns that it reads as inputs 0, 1, ...
  std::vector<uint32_t> inputs;
  std::vector<std::string> streams;  // names of its output streams from 1 on (StreamName)
  uint64_t instances = 0;            // 1 .. 2^40
  JobLimits limits;
  Placement placement = Placement::kAuto;
  std::string name;      // what its caller calls it, for records of bursts
  std::string tenant;    // it runs on the tenant's share of a device (fair_queue.h)
  int32_t priority = 0;  // among the tenant's jobs
  // Imports that the job's caller answers, by number, where it does so, and how long a call waits.
  std::vector<HostImport> host_imports;
  std::shared_ptr<HostCallQueue> host_calls;  // null where there are none
  std::chrono::nanoseconds host_call_timeout = std::chrono::seconds(60);
  // Devices that flush f32 subnormals may do so; all others compute as ever.
  bool fast32 = false;
  LaneHint hint = LaneHint::kNone;
  std::shared_ptr<const JobBefore> before;  // null: the job is new
  // Of a call of a session: with what its instances begin, and where what they come to is kept
  // (../docs/sessions.md). Null: they begin as fresh ones.
  std::shared_ptr<ResidentInstances> residents;

  uint64_t InstancesToRun() const;  // those that had not finished before
  // For so many it is planned (constant_inputs.h): those that run, or as many as when its states
  // were left.
  uint64_t InstancesPlanned() const;
  bool MustKeepStates() const { return before != nullptr && before->must_keep_states; }
};

// The name of the module's output stream `number`, from 1 on: "stream 3" where the job gives none.
std::string StreamName(const JobSpec& spec, uint32_t number);

// Results come by the million, mostly of one step with one value: nothing of those on the heap.
using Values = absl::InlinedVector<Value, 1>;

struct StepResult {
  Values values;            // of a call that returned
  Trap trap = Trap::kNone;  // of a call that may go on after a trap and did
  uint32_t trap_function = 0;
  uint32_t trap_offset = 0;
  std::string trap_module;  // as below
};

struct Output {
  std::string name;
  Bytes bytes;
};

// One call on the way to a trap; numbers as in a trap.
struct TraceFrame {
  uint32_t function = 0;
  uint32_t offset = 0;  // of the call, or of the instruction that trapped
  std::string module;
  bool operator==(const TraceFrame&) const = default;
};

// How one instance ended. Guest failures are here, never in a Status.
struct InstanceResult {
  uint64_t instance = 0;
  uint32_t attempt = 1;  // > 1: an engine was lost under it, or JobBefore says so
  End end = End::kReturned;
  Trap trap = Trap::kNone;     // with kTrapped; function and byte offset in the module
  uint32_t trap_function = 0;  // abi::NONE: in instantiation
  uint32_t trap_offset = 0;
  uint32_t exit_code = 0;   // with kExited; with the trap kAssertionFailed: its code
  std::string trap_module;  // of linked modules: the name of the one that these count in
  uint32_t step = 0;        // step it ended in
  uint64_t fuel = 0;        // wasm instructions, exact
  uint32_t memory_pages = 0;
  absl::InlinedVector<StepResult, 1> steps;
  std::vector<Output> outputs;
  std::string device;   // id of the device that finished it
  bool fast32 = false;  // its arithmetic of f32 flushed subnormals, as the job allows
  KernelBuild build = KernelBuild::kNone;  // that finished it
  std::string host_error;                  // with kHostCallFailed: why
  // Of the first traps of a job (scheduler/trace), innermost first. So few have one that it counts
  // as no bytes.
  std::vector<TraceFrame> backtrace;
  std::string backtrace_error;  // why it could not be made, where that was tried; else empty
};

// How a job goes on, as of its last launch; what is not known yet is unset (progress_estimator.h).
struct JobForecast {
  std::optional<double> instructions_per_second;  // over the last seconds
  struct Range {
    std::chrono::nanoseconds least{};
    std::chrono::nanoseconds most{};
  };
  std::optional<Range> left;  // until all instances have ended
};

// Figures of a job's execution, complete when it has ended.
struct JobUsage {
  // Of finished instances, and of those under way as of their last launch. Of a job that ends
  // before its instances do: theirs too.
  uint64_t fuel = 0;
  uint64_t fuel_running = 0;  // the part of it that is of instances under way
  uint64_t bursts = 0;
  // Times that a launch ended while an instance was midway: it went on from there in a later one.
  uint64_t carried = 0;
  std::chrono::nanoseconds device_time{};  // time in launches
  // That devices drew in its launches, its part of shared ones, by their sensors. Of devices that
  // have none for it nothing; unset: it ran on no other.
  std::optional<double> joules;
  LaneFuel lane_fuel;  // in its launches, its part of shared ones, on devices that measure it
  // Of its pipelines' builds; 0 of those that came from the cache.
  std::chrono::nanoseconds quick_compile_time{};
  std::chrono::nanoseconds full_compile_time{};
  bool pipeline_cached = false;
  // Instances that were to begin in a given state (JobBefore::midway), and began at their start
  // since it did not fit.
  uint64_t lost_states = 0;
  std::string failures;  // one sentence when instances ended kFailed, else empty
  std::string limit;     // of the whole job, that ended instances, in numbers; else empty
};

}  // namespace wb
