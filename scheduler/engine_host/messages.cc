#include "scheduler/engine_host/messages.h"

#include <algorithm>

#include "scheduler/devices/dispatch_shape.h"

namespace wb {
namespace {

constexpr uint32_t kReasons = 1
#define WB_ERROR(name, reason, code, advice) +1
#include "compiler/base/errors.def"
#undef WB_ERROR
    ;

Status Unknown(const std::string& what) {
  return Status(Reason::kInternal, "The engine host's message names an unknown " + what + ".");
}

bool OptionsOf(uint32_t floats, uint32_t layout, CompileOptions& out) {
  if (floats > static_cast<uint32_t>(Floats::kFast32)) return false;
  if (layout > static_cast<uint32_t>(MemoryLayout::kHot)) return false;
  out.floats = static_cast<Floats>(floats);
  out.layout = static_cast<MemoryLayout>(layout);
  return true;
}

}  // namespace

void Put(const Status& status, wasmburst::engine::Error& out) {
  out.set_reason(static_cast<uint32_t>(status.reason()));
  out.set_message(status.message());
  for (const Detail& detail : status.details()) {
    wasmburst::engine::Detail* added = out.add_details();
    added->set_key(detail.key);
    added->set_value(detail.value);
  }
}

Status StatusOf(const wasmburst::engine::Error& error) {
  if (error.reason() == 0 || error.reason() >= kReasons) return Unknown("error");
  std::vector<Detail> details;
  for (const wasmburst::engine::Detail& detail : error.details()) {
    details.push_back({detail.key(), detail.value()});
  }
  return Status(static_cast<Reason>(error.reason()), error.message(), std::move(details));
}

void Put(const CompilerLimits& limits, wasmburst::engine::CompilerLimits& out) {
  out.set_max_time_ms(static_cast<uint64_t>(limits.max_time.count()));
  out.set_max_memory_bytes(limits.max_memory_bytes);
  out.set_isolation(static_cast<uint32_t>(limits.isolation));
}

CompilerLimits CompilerLimitsOf(const wasmburst::engine::CompilerLimits& limits) {
  return {std::chrono::milliseconds(limits.max_time_ms()), limits.max_memory_bytes(),
          IsolationOf(limits.isolation()).value_or(Isolation::kRequired)};
}

void Put(const CudaLibraries& libraries, wasmburst::engine::CudaLibraries& out) {
  out.set_driver(libraries.driver);
  out.set_nvrtc(libraries.nvrtc);
  out.set_nvml(libraries.nvml);
  out.set_nvtx(libraries.nvtx);
}

CudaLibraries LibrariesOf(const wasmburst::engine::CudaLibraries& libraries) {
  return {libraries.driver(), libraries.nvrtc(), libraries.nvml(), libraries.nvtx()};
}

void Put(const MetalOptions& options, wasmburst::engine::MetalOptions& out) {
  out.set_slice_ms(static_cast<uint64_t>(options.slice.count()));
  out.set_capture(options.capture);
  out.set_max_text_bytes(options.max_text_bytes);
}

MetalOptions OptionsOf(const wasmburst::engine::MetalOptions& options) {
  return {std::chrono::milliseconds(options.slice_ms()), options.capture(),
          options.max_text_bytes()};
}

void Put(const DeviceInfo& info, wasmburst::engine::Info& out) {
  out.set_id(info.id);
  out.set_engine(static_cast<uint32_t>(info.engine));
  out.set_name(info.name);
  out.set_target(info.target);
  out.set_floats(static_cast<uint32_t>(info.options.floats));
  out.set_layout(static_cast<uint32_t>(info.options.layout));
  out.set_windows(static_cast<uint32_t>(info.options.windows));
  out.set_native_group_memory(info.options.native_group_memory);
  out.set_threads(info.threads);
  out.set_memory_bytes(info.memory_bytes);
  out.set_processors(info.processors);
  out.set_seats_per_lane(info.seats_per_lane);
  out.set_launches_at_once(info.launches_at_once);
  out.set_quick_text_from(info.quick_text_from);
  out.set_quick_text_below(info.quick_text_below);
  out.set_best_text_below(info.best_text_below);
  out.set_sensors(info.sensors);
  out.set_gpus(info.gpus);
  out.set_moves_lanes(info.moves_lanes);
  out.set_maps_memory(info.maps_memory);
  out.set_maps_inputs(info.maps_inputs);
  out.set_few_registers(info.few_registers);
  out.set_tiled(info.tiled);
  out.set_hot(info.hot);
  out.set_adopts_pipelines(info.adopts_pipelines);
}

Result<DeviceInfo> InfoOf(const wasmburst::engine::Info& info) {
  DeviceInfo out;
  if (info.engine() > static_cast<uint32_t>(Engine::kMetal)) return Unknown("engine");
  if (!OptionsOf(info.floats(), info.layout(), out.options) ||
      info.windows() > static_cast<uint32_t>(Windows::kAlways)) {
    return Unknown("option");
  }
  out.options.windows = static_cast<Windows>(info.windows());
  out.options.native_group_memory = info.native_group_memory();
  out.id = info.id();
  out.engine = static_cast<Engine>(info.engine());
  out.name = info.name();
  out.target = info.target();
  out.threads = std::max(info.threads(), 1u);
  out.memory_bytes = info.memory_bytes();
  out.processors = std::min(info.processors(), out.threads);
  out.seats_per_lane = std::max(info.seats_per_lane(), 1u);
  out.launches_at_once = std::clamp(info.launches_at_once(), 1u, DeviceInfo::kMostLaunchesAtOnce);
  out.quick_text_from = info.quick_text_from();
  out.quick_text_below = info.quick_text_below();
  out.best_text_below = info.best_text_below();
  out.sensors = info.sensors();
  out.gpus = info.gpus();
  out.moves_lanes = info.moves_lanes();
  out.maps_memory = info.maps_memory();
  out.maps_inputs = info.maps_inputs();
  out.few_registers = info.few_registers();
  out.tiled = info.tiled();
  out.hot = info.hot();
  out.adopts_pipelines = info.adopts_pipelines();
  return out;
}

void Put(const Module& module, const KernelSource& source, wasmburst::engine::Build& out) {
  out.set_wasm(module.binary().data(), module.binary().size());
  out.set_text(source.text);
  wasmburst::engine::Layout& layout = *out.mutable_lane_layout();
  layout.set_stage_at(source.layout.stage_at);
  layout.set_globals_at(source.layout.globals_at);
  layout.set_frames_at(source.layout.frames_at);
  layout.set_frames_words(source.layout.frames_words);
  layout.set_frame_words_per_1024_slots(source.layout.frame_words_per_1024_slots);
  layout.set_memory_at(source.layout.memory_at);
  for (const MemoryBounds& bounds : source.layout.memories) {
    wasmburst::engine::MemoryBounds& memory = *layout.add_memories();
    memory.set_min_pages(bounds.min_pages);
    memory.set_max_pages(bounds.max_pages);
  }
  layout.set_span_shift(source.layout.span_shift);
  layout.set_data_from(source.layout.data_from);
  layout.set_data_end(source.layout.data_end);
  out.set_floats(static_cast<uint32_t>(source.options.floats));
  out.set_layout(static_cast<uint32_t>(source.options.layout));
  out.set_digest(source.digest.bytes.data(), source.digest.bytes.size());
}

Result<KernelSource> SourceOf(const wasmburst::engine::Build& build) {
  KernelSource source;
  if (!OptionsOf(build.floats(), build.layout(), source.options)) return Unknown("option");
  if (build.digest().size() != source.digest.bytes.size()) return Unknown("digest");
  std::copy(build.digest().begin(), build.digest().end(), source.digest.bytes.begin());
  source.text = build.text();
  const wasmburst::engine::Layout& layout = build.lane_layout();
  source.layout.stage_at = layout.stage_at();
  source.layout.globals_at = layout.globals_at();
  source.layout.frames_at = layout.frames_at();
  source.layout.frames_words = layout.frames_words();
  source.layout.frame_words_per_1024_slots = layout.frame_words_per_1024_slots();
  source.layout.memory_at = layout.memory_at();
  for (const wasmburst::engine::MemoryBounds& memory : layout.memories()) {
    source.layout.memories.push_back({memory.min_pages(), memory.max_pages()});
  }
  source.layout.span_shift = layout.span_shift();
  source.layout.data_from = layout.data_from();
  source.layout.data_end = layout.data_end();
  return source;
}

Result<Effort> EffortOf(const wasmburst::engine::Build& build) {
  if (build.effort() >= kEfforts) return Unknown("effort");
  return static_cast<Effort>(build.effort());
}

void Put(const DispatchShape& shape, wasmburst::engine::Allocate& out) {
  out.set_lanes(shape.lanes);
  out.set_seats(shape.seats);
  out.set_capacity_pages(shape.capacity_pages);
  out.set_further_pages(shape.further_pages);
  out.set_mapped_pages(shape.mapped_pages);
  out.set_window_from(shape.window.from);
  out.set_window_bytes(shape.window.bytes);
  out.set_max_pages(shape.max_pages);
  out.set_max_stack(shape.max_stack);
  out.set_capacity_stack(shape.capacity_stack);
  out.set_max_fuel(shape.max_fuel);
  out.mutable_program()->Assign(shape.program.begin(), shape.program.end());
  out.set_steps(shape.steps);
  out.set_column_words(shape.column_words);
  out.set_blob_bytes(shape.blob_bytes);
  out.set_register_words(shape.register_words);
  out.set_output_bytes(shape.output_bytes);
  out.set_output_buffer(shape.output_buffer);
}

DispatchShape ShapeOf(const wasmburst::engine::Allocate& allocate) {
  DispatchShape shape;
  shape.lanes = allocate.lanes();
  shape.seats = allocate.seats();
  shape.capacity_pages = allocate.capacity_pages();
  shape.further_pages = allocate.further_pages();
  shape.mapped_pages = allocate.mapped_pages();
  shape.window = {allocate.window_from(), allocate.window_bytes()};
  shape.max_pages = allocate.max_pages();
  shape.max_stack = allocate.max_stack();
  shape.capacity_stack = allocate.capacity_stack();
  shape.max_fuel = allocate.max_fuel();
  shape.program.assign(allocate.program().begin(), allocate.program().end());
  shape.steps = allocate.steps();
  shape.column_words = allocate.column_words();
  shape.blob_bytes = allocate.blob_bytes();
  shape.register_words = allocate.register_words();
  shape.output_bytes = allocate.output_bytes();
  shape.output_buffer = allocate.output_buffer();
  return shape;
}

void Put(const LaunchLimits& limits, wasmburst::engine::Launch& out) {
  out.set_max_duration_ns(static_cast<uint64_t>(std::max<int64_t>(limits.max_duration.count(), 0)));
  out.set_slice_fuel(limits.slice_fuel);
  out.set_slice_step(limits.slice_step);
  out.set_quantum(limits.quantum);
  out.set_most_idle(limits.most_idle);
  out.set_resident_lanes(limits.occupancy.lanes);
  out.set_block_threads(limits.occupancy.block_threads);
  out.set_few_registers(limits.occupancy.few_registers);
  out.set_tiled(limits.occupancy.tiled);
  out.set_hot(limits.occupancy.hot);
  out.set_seats_written(limits.seats_written);
  out.set_label(limits.label);
  out.set_watched_lane(limits.watched_lane);
  out.set_group_wait(limits.group_wait);
}

LaunchLimits LimitsOf(const wasmburst::engine::Launch& launch) {
  LaunchLimits limits;
  limits.max_duration = std::chrono::nanoseconds(launch.max_duration_ns());
  limits.slice_fuel = launch.slice_fuel();
  limits.slice_step = launch.slice_step();
  limits.quantum = launch.quantum();
  limits.most_idle = launch.most_idle();
  limits.occupancy.lanes = launch.resident_lanes();
  if (IsBlock(launch.block_threads())) limits.occupancy.block_threads = launch.block_threads();
  limits.occupancy.few_registers = launch.few_registers();
  limits.occupancy.tiled = launch.tiled();
  limits.occupancy.hot = launch.hot();
  limits.seats_written = launch.seats_written();
  limits.label = launch.label();
  limits.watched_lane = launch.watched_lane();
  limits.group_wait = launch.group_wait();
  return limits;
}

void Put(const LaunchReport& report, wasmburst::engine::LaunchReport& out) {
  out.set_seats_left(report.seats_left);
  out.set_busy_ns(static_cast<uint64_t>(report.busy.count()));
  for (const TracedCall& call : report.trace) {
    wasmburst::engine::TracedCall* added = out.add_trace();
    added->set_function(call.function);
    added->set_offset(call.offset);
  }
  for (const FuelNode& node : report.fuel) {
    wasmburst::engine::FuelNode* added = out.add_fuel();
    added->set_parent(node.parent);
    added->set_function(node.function);
    added->set_loop(node.loop);
    added->set_calls(node.calls);
    added->set_fuel(node.fuel);
  }
  if (report.lane_fuel.resident == 0) return;
  out.mutable_lane_fuel()->set_useful(report.lane_fuel.useful);
  out.mutable_lane_fuel()->set_resident(report.lane_fuel.resident);
}

LaunchReport ReportOf(const wasmburst::engine::LaunchReport& report,
                      std::chrono::nanoseconds most) {
  const uint64_t busy = std::min(report.busy_ns(), static_cast<uint64_t>(most.count()));
  LaunchReport taken{report.seats_left(), std::chrono::nanoseconds(busy)};
  for (const wasmburst::engine::TracedCall& call : report.trace()) {
    if (taken.trace.size() == kMostTraced) break;
    taken.trace.push_back({call.function(), call.offset()});
  }
  for (const wasmburst::engine::FuelNode& node : report.fuel()) {
    // A tree, whatever the host says.
    const bool is_below = node.parent() < std::max<size_t>(taken.fuel.size(), 1);
    if (taken.fuel.size() == 2 * kMostFuelNodes || !is_below) break;
    taken.fuel.push_back({node.parent(), node.function(), node.loop(), node.calls(), node.fuel()});
  }
  taken.lane_fuel = {report.lane_fuel().useful(), report.lane_fuel().resident()};
  return taken;
}

void Put(const PipelineFacts& facts, wasmburst::engine::PipelineFacts& out) {
  out.set_code_bytes(facts.code_bytes);
  out.set_registers(facts.registers);
  out.set_local_bytes(facts.local_bytes);
  out.set_shared_bytes(facts.shared_bytes);
  out.set_block_threads(facts.block_threads);
  out.set_lanes_per_processor(facts.lanes_per_processor);
}

PipelineFacts FactsOf(const wasmburst::engine::PipelineFacts& in) {
  PipelineFacts facts;
  facts.code_bytes = in.code_bytes();
  facts.registers = in.registers();
  facts.local_bytes = in.local_bytes();
  facts.shared_bytes = in.shared_bytes();
  facts.block_threads = in.block_threads();
  facts.lanes_per_processor = in.lanes_per_processor();
  return facts;
}

void Put(const Telemetry& telemetry, wasmburst::engine::Telemetry& out) {
  if (telemetry.celsius) out.set_celsius(*telemetry.celsius);
  if (telemetry.watts) out.set_watts(*telemetry.watts);
  if (telemetry.joules) out.set_joules(*telemetry.joules);
  if (telemetry.watts_limit) out.set_watts_limit(*telemetry.watts_limit);
  out.set_throttled(telemetry.throttled);
  if (telemetry.thermal_state) out.set_thermal_state(*telemetry.thermal_state);
  if (telemetry.utilisation) out.set_utilisation(*telemetry.utilisation);
  if (telemetry.memory_used) out.set_memory_used(*telemetry.memory_used);
  if (telemetry.memory_total) out.set_memory_total(*telemetry.memory_total);
}

Telemetry TelemetryOf(const wasmburst::engine::Telemetry& in) {
  Telemetry telemetry;
  if (in.has_celsius()) telemetry.celsius = in.celsius();
  if (in.has_watts()) telemetry.watts = in.watts();
  if (in.has_joules()) telemetry.joules = in.joules();
  if (in.has_watts_limit()) telemetry.watts_limit = in.watts_limit();
  telemetry.throttled = in.throttled();
  if (in.has_thermal_state()) telemetry.thermal_state = in.thermal_state();
  if (in.has_utilisation()) telemetry.utilisation = in.utilisation();
  if (in.has_memory_used()) telemetry.memory_used = in.memory_used();
  if (in.has_memory_total()) telemetry.memory_total = in.memory_total();
  return telemetry;
}

}  // namespace wb
