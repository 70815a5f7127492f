#include "scheduler/trace/replay.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"
#include "scheduler/trace/seats_again.h"

namespace wb {
namespace {

bool IsSameTrap(const InstanceResult& a, const InstanceResult& b) {
  return a.end == b.end && a.trap == b.trap && a.trap_function == b.trap_function &&
         a.trap_offset == b.trap_offset && a.trap_module == b.trap_module && a.step == b.step &&
         a.fuel == b.fuel && a.exit_code == b.exit_code;
}

bool IsPrimitive(const Module& module, uint32_t function) {
  if (function < module.imported_functions) return true;  // no other import is left
  const uint32_t at = function - module.imported_functions;
  return at < module.bodies.size() && module.bodies[at].primitive != Primitive::kNone;
}

// None: no code of a module that was given.
std::optional<TraceFrame> FrameOf(const Module& module, const TracedCall& call) {
  if (call.function >= module.functions.size()) return std::nullopt;
  if (IsPrimitive(module, call.function)) return std::nullopt;
  const FunctionPlace place = module.PlaceOf(call.function);
  TraceFrame frame;
  frame.function = place.function.value_or(uint32_t{abi::NONE});
  frame.offset = call.offset;
  if (place.instance == nullptr) return frame;
  if (place.instance->is_bound) return std::nullopt;
  frame.module = place.instance->name;
  return frame;
}

// A call has asked the engine for something, and that has trapped: an assertion, a collective, an
// address of group memory, or what is read and written of memory.
bool IsInPrimitive(const JobPlan& plan, const InstanceResult& result) {
  if (!plan.program.asks || result.trap_function != abi::NONE) return false;
  return result.step < plan.spec.steps.size() &&
         std::holds_alternative<CallStep>(plan.spec.steps[result.step]);
}

Status NeedsMoreThan(uint64_t bytes) {
  return Status(Reason::kLimitTooHigh,
                "The instances of its group, which run again with it, need more memory than they "
                "may have together: a quarter of backtraces.max_memory_bytes, " +
                    Quoted(bytes) + " bytes.");
}

}  // namespace

bool MayReplay(const JobPlan& plan, const InstanceResult& result, const ReplayLimits& limits) {
  if (plan.spec.residents != nullptr) return false;  // it would run without what it began with
  if (result.end != End::kTrapped) return false;
  // What the caller answered is not asked for again.
  return (result.trap_function != abi::NONE || IsInPrimitive(plan, result)) &&
         plan.spec.host_calls == nullptr && result.fuel <= limits.fuel &&
         plan.spec.module->binary().size() <= limits.module_bytes &&
         uint64_t{result.memory_pages} * abi::PAGE_BYTES <=
             InstanceBytes(plan, limits.instance_bytes());
}

Replay::Replay(LoweredModules& modules, DeviceStarter start, const ReplayLimits& limits)
    : modules_(modules), limits_(limits), device_(std::move(start)) {}

Replay::~Replay() { EndDevice(); }

void Replay::EndDevice() {
  loaded_ = {};
  device_.End();
}

Status Replay::Load(const JobPlan& plan) {
  WB_ASSIGN(LoweredModuleRef module, modules_.Get(plan.spec.module));
  if (loaded_.module == module) return {};
  loaded_ = {};
  WB_ASSIGN(loaded_.pipeline, device_->Load(module, module->program.module->binary()));
  loaded_.module = std::move(module);
  return {};
}

Result<Replay::Ran> Replay::RunOnDevice(const JobPlan& plan, const InstanceResult& result) {
  WB_TRY(device_.Start());
  WB_TRY(Load(plan));
  const std::optional<Seating> seating =
      SeatsToRunAgain(plan, loaded_.module->layout, result.memory_pages, limits_.instance_bytes());
  if (!seating) return NeedsMoreThan(limits_.instance_bytes());
  DispatchShape shape = ShapeOf(plan, *seating);
  if (plan.kept) {
    WB_ASSIGN(shape.kept, device_->Keep(plan.kept->input));
  }
  shape.output_buffer = ~0u;  // room for all outputs, so that one launch is enough
  WB_ASSIGN(const std::unique_ptr<Dispatch> dispatch, device_->Allocate(loaded_.pipeline, shape));
  LaunchLimits launch;
  launch.watched_lane = SeatToRunAgain(plan, result.instance, *dispatch);
  launch.max_duration = limits_.time;
  WB_ASSIGN(LaunchReport report, device_->Launch(*dispatch, launch));
  const std::span<uint32_t> record = RecordAt(*dispatch, launch.watched_lane);
  if (record[abi::RECORD_SEAT] != abi::SEAT_DONE) {
    if (NeedsMore(*dispatch)) return NeedsMoreThan(limits_.instance_bytes());
    return Status(Reason::kDeadlineExceeded,
                  "The run that was to tell the calls took longer than " +
                      Quoted(static_cast<uint64_t>(limits_.time.count())) +
                      " ms (backtraces.max_time).");
  }
  return Ran{std::vector<uint32_t>(record.begin(), record.end()), std::move(report.trace)};
}

Result<Replay::Ran> Replay::Run(const JobPlan& plan, const InstanceResult& result) {
  Result<Ran> ran = RunOnDevice(plan, result);
  if (ran.ok() || ran.status().reason() != Reason::kDeviceLost) return ran;
  EndDevice();
  return Status(Reason::kDeviceLost,
                ran.status().message() +
                    " It is bounded by backtraces.max_memory_bytes and backtraces.max_time.");
}

Result<std::vector<TraceFrame>> Replay::Trace(const JobPlan& plan, const InstanceResult& result) {
  WB_ASSIGN(const Ran ran, Run(plan, result));
  const std::optional<InstanceResult> again = DecodeRecord(plan, ran.record);
  if (!again || !IsSameTrap(*again, result)) {
    return Status(Reason::kInternal,
                  "The instance came to another end when it ran once more; its result is of the "
                  "first run.");
  }
  std::vector<TraceFrame> frames;
  for (const TracedCall& call : ran.trace) {
    const std::optional<TraceFrame> frame = FrameOf(*plan.spec.module, call);
    if (frame && frames.size() < ReplayLimits::kMostFrames) frames.push_back(*frame);
  }
  return frames;
}

}  // namespace wb
