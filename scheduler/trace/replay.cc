#include "scheduler/trace/replay.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"

namespace wb {
namespace {

std::unique_ptr<Device> TracingDevice(const ReplayLimits& limits, CallTrace* trace) {
  InterpreterSettings settings;
  settings.id = "replay";
  settings.threads = 1;
  settings.memory_bytes = 4 * limits.memory_bytes;
  settings.trace = trace;
  return CreateInterpreterDevice(settings);
}

Seating OneSeat(const JobPlan& plan, const ReplayLimits& limits) {
  Seating seating;
  seating.lanes = 1;
  seating.seats = 1;
  seating.pages = static_cast<uint32_t>(
      std::min<uint64_t>(plan.max_pages, limits.memory_bytes / abi::PAGE_BYTES));
  seating.stack = plan.spec.limits.max_stack;
  return seating;
}

bool IsSameTrap(const InstanceResult& a, const InstanceResult& b) {
  return a.end == b.end && a.trap == b.trap && a.trap_function == b.trap_function &&
         a.trap_offset == b.trap_offset && a.trap_module == b.trap_module && a.step == b.step &&
         a.fuel == b.fuel;
}

// None: no code of a module that was given.
std::optional<TraceFrame> FrameOf(const Module& module, const TracedCall& call) {
  if (call.function >= module.functions.size()) return std::nullopt;
  const FunctionPlace place = module.PlaceOf(call.function);
  TraceFrame frame;
  frame.function = place.function.value_or(uint32_t{abi::NONE});
  frame.offset = call.offset;
  if (place.instance == nullptr) return frame;
  if (place.instance->is_bound) return std::nullopt;
  frame.module = place.instance->name;
  return frame;
}

}  // namespace

bool MayReplay(const JobPlan& plan, const InstanceResult& result, const ReplayLimits& limits) {
  const bool is_in_code = result.end == End::kTrapped && result.trap_function != abi::NONE;
  // What the caller answered is not asked for again.
  return is_in_code && plan.spec.host_calls == nullptr && result.fuel <= limits.fuel &&
         plan.spec.module->binary().size() <= limits.module_bytes &&
         uint64_t{result.memory_pages} * abi::PAGE_BYTES <= limits.memory_bytes;
}

Replay::Replay(LoweredModules& modules, const ReplayLimits& limits)
    : modules_(modules), limits_(limits), device_(TracingDevice(limits, &trace_)) {}

Replay::~Replay() = default;

void Replay::Stop() { device_->Stop(); }

Status Replay::Load(const JobPlan& plan) {
  WB_ASSIGN(LoweredModuleRef module, modules_.Get(plan.spec.module));
  if (loaded_.module == module) return {};
  loaded_ = {};
  WB_ASSIGN(loaded_.pipeline, device_->Load(module, module->program.module->binary()));
  loaded_.module = std::move(module);
  return {};
}

Result<std::vector<uint32_t>> Replay::Run(const JobPlan& plan, uint64_t instance) {
  DispatchShape shape = ShapeOf(plan, OneSeat(plan, limits_));
  shape.output_buffer = shape.output_bytes;  // so that one launch is enough
  WB_ASSIGN(const std::unique_ptr<Dispatch> dispatch, device_->Allocate(loaded_.pipeline, shape));
  FillShared(plan, *dispatch);
  FillSeat(plan, instance, 0, *dispatch);
  LaunchLimits launch;
  launch.max_duration = limits_.time;
  WB_ASSIGN(const LaunchReport report, device_->Launch(*dispatch, launch));
  const std::span<uint32_t> record = RecordAt(*dispatch, 0);
  if (report.seats_left != 0 || record[abi::RECORD_SEAT] != abi::SEAT_DONE) {
    return std::vector<uint32_t>();
  }
  return std::vector<uint32_t>(record.begin(), record.end());
}

std::vector<TraceFrame> Replay::Trace(const JobPlan& plan, const InstanceResult& result) {
  trace_.clear();
  if (!MayReplay(plan, result, limits_) || !Load(plan).ok()) return {};
  const Result<std::vector<uint32_t>> record = Run(plan, result.instance);
  if (!record.ok()) return {};
  const std::optional<InstanceResult> again = DecodeRecord(plan, *record);
  if (!again || !IsSameTrap(*again, result)) return {};
  std::vector<TraceFrame> frames;
  for (const TracedCall& call : trace_) {
    const std::optional<TraceFrame> frame = FrameOf(*plan.spec.module, call);
    if (frame && frames.size() < ReplayLimits::kMostFrames) frames.push_back(*frame);
  }
  return frames;
}

}  // namespace wb
