#include "daemon/translate/translate_view.h"

#include <algorithm>

#include "compiler/debug/module_hints.h"
#include "compiler/wasm/extern_type.h"
#include "compiler/wasm/script_classes.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_binding.h"
#include "daemon/translate/translate_operand.h"
#include "daemon/translate/translate_status.h"
#include "daemon/translate/translate_time.h"
#include "daemon/translate/translate_value.h"
#include "google/rpc/status.pb.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

void StepToProto(const Step& step, v1::Step* proto) {
  if (const auto* call = std::get_if<CallStep>(&step)) {
    proto->mutable_call()->set_function(call->function);
    proto->mutable_call()->set_module(call->instance);
    proto->mutable_call()->set_go_on_after_trap(call->go_on_after_trap);
    for (const Operand& arg : call->args) OperandToProto(arg, proto->mutable_call()->add_args());
  } else if (const auto* write = std::get_if<WriteStep>(&step)) {
    OperandToProto(write->pointer, proto->mutable_write()->mutable_pointer());
    proto->mutable_write()->set_column(write->column);
  } else if (const auto* read = std::get_if<ReadStep>(&step)) {
    OperandToProto(read->pointer, proto->mutable_read()->mutable_pointer());
    OperandToProto(read->length, proto->mutable_read()->mutable_length());
    proto->mutable_read()->set_output(read->output);
    proto->mutable_read()->set_until_zero(read->until_zero);
    proto->mutable_read()->set_text(static_cast<v1::TextEncoding>(read->text));
  } else if (const auto* store = std::get_if<StoreStep>(&step)) {
    OperandToProto(store->pointer, proto->mutable_store()->mutable_pointer());
    OperandToProto(store->value, proto->mutable_store()->mutable_value());
  }
}
static_assert(v1::NO_TEXT == static_cast<int>(TextEncoding::kNone));
static_assert(v1::UTF_8 == static_cast<int>(TextEncoding::kUtf8));
static_assert(v1::UTF_16 == static_cast<int>(TextEncoding::kUtf16));

v1::Job::State StateToProto(JobState state) {
  return static_cast<v1::Job::State>(static_cast<int>(state) + 1);
}
static_assert(v1::Job::QUEUED == static_cast<int>(JobState::kQueued) + 1);
static_assert(v1::Job::COMPILING == static_cast<int>(JobState::kCompiling) + 1);
static_assert(v1::Job::RUNNING == static_cast<int>(JobState::kRunning) + 1);
static_assert(v1::Job::CANCELLING == static_cast<int>(JobState::kCancelling) + 1);
static_assert(v1::Job::SUCCEEDED == static_cast<int>(JobState::kSucceeded) + 1);
static_assert(v1::Job::FAILED == static_cast<int>(JobState::kFailed) + 1);
static_assert(v1::Job::CANCELLED == static_cast<int>(JobState::kCancelled) + 1);
static_assert(v1::Job::CHECKPOINTED == static_cast<int>(JobState::kCheckpointed) + 1);

v1::Placement PlacementToProto(Placement placement) {
  switch (placement) {
    case Placement::kAuto: return v1::AUTO;
    case Placement::kCpu: return v1::CPU;
    case Placement::kInterpreter: return v1::INTERPRETER;
    case Placement::kGpu: return v1::GPU;
  }
  return v1::AUTO;
}

void LimitsToProto(const JobLimits& limits, v1::Limits* proto) {
  proto->set_max_fuel(limits.max_fuel);
  proto->set_max_memory_bytes(limits.max_memory_bytes);
  proto->set_max_stack(limits.max_stack);
  proto->set_max_output_bytes(limits.max_output_bytes);
  if (limits.max_time) DurationToProto(*limits.max_time, proto->mutable_max_time());
  proto->set_max_total_fuel(limits.max_total_fuel.value_or(0));
  proto->set_max_results_bytes(limits.max_results_bytes.value_or(0));
  if (limits.max_total_time) {
    DurationToProto(*limits.max_total_time, proto->mutable_max_total_time());
  }
}

void UsageToProto(const JobUsage& usage, v1::Usage* proto) {
  proto->set_fuel(usage.fuel);
  proto->set_bursts(usage.bursts);
  DurationToProto(usage.device_time, proto->mutable_device_time());
  const auto compile_time = usage.quick_compile_time + usage.full_compile_time;
  DurationToProto(compile_time, proto->mutable_compile_time());
  DurationToProto(usage.quick_compile_time, proto->mutable_quick_compile_time());
  DurationToProto(usage.full_compile_time, proto->mutable_full_compile_time());
  proto->set_pipeline_cached(usage.pipeline_cached);
  proto->set_fuel_running(usage.fuel_running);
  proto->set_lost_states(usage.lost_states);
  if (usage.joules) proto->set_joules(*usage.joules);
}

void DivergenceToProto(const LaneFuel& lane_fuel, v1::Job* proto) {
  const std::optional<double> useful = lane_fuel.UsefulLanes();
  if (!useful) return;
  v1::Divergence* shown = proto->mutable_divergence();
  shown->set_useful_lanes(*useful);
  shown->set_useful_fuel(lane_fuel.useful);
  shown->set_resident_fuel(lane_fuel.resident);
}

void HintsToProto(ModuleHints hints, v1::Module* proto) {
  if (hints.divergent) proto->add_hints(std::string(LaneHintName(LaneHint::kDivergent)));
  if (hints.uniform) proto->add_hints(std::string(LaneHintName(LaneHint::kUniform)));
  for (std::string& line : hints.ignored) proto->add_ignored_hints(std::move(line));
}

void TierToProto(const JobInfo& job, v1::Job* proto) {
  if (!job.request->session.empty()) {
    proto->set_tier(v1::Job::HYBRID);
    proto->set_tier_reason(
        "It is a call of a session, whose instances keep their memories from call "
        "to call.");
  } else if (job.usage.bursts == 0) {
    return;
  } else if (job.request->instances == 1) {
    proto->set_tier(v1::Job::SEQUENTIAL);
    proto->set_tier_reason("It has one instance, which runs in one lane.");
  } else if (job.usage.carried != 0) {
    proto->set_tier(v1::Job::CHUNKED);
    proto->set_tier_reason("Launches ended [" + std::to_string(job.usage.carried) +
                           "] times while an instance was midway; it went on from there in a later "
                           "one.");
  } else {
    proto->set_tier(v1::Job::PARALLEL);
    proto->set_tier_reason("No launch has ended while an instance was midway.");
  }
}

// Of a job that waits it would be out of date.
bool HasForecast(const JobInfo& job) {
  return job.state == JobState::kRunning && (job.instructions_per_second || job.eta);
}

void ForecastToProto(const JobInfo& job, v1::Forecast* proto) {
  if (job.instructions_per_second) proto->set_instructions_per_second(*job.instructions_per_second);
  if (!job.eta) return;
  TimeToProto(job.eta->earliest_unix_ns, proto->mutable_earliest_end());
  TimeToProto(job.eta->latest_unix_ns, proto->mutable_latest_end());
}

void TimesToProto(const JobInfo& job, v1::Job* proto) {
  for (const JobStateChange& change : job.history) {
    v1::StateChange* shown = proto->add_history();
    shown->set_state(StateToProto(change.state));
    TimeToProto(change.unix_ns, shown->mutable_time());
    if (change.state == JobState::kRunning && !proto->has_start_time()) {
      TimeToProto(change.unix_ns, proto->mutable_start_time());
    }
    if (IsTerminal(change.state)) TimeToProto(change.unix_ns, proto->mutable_end_time());
  }
  if (!job.history.empty()) {
    TimeToProto(job.history.front().unix_ns, proto->mutable_create_time());
  }
  if (IsTerminal(job.state)) TimeToProto(job.expire_unix_ns, proto->mutable_expire_time());
}

}  // namespace

void CountsToProto(const JobInfo& job, v1::Counts* proto) {
  const uint64_t* by_end = job.counts.by_end;
  proto->set_instances(job.request->instances);
  proto->set_finished(job.counts.finished);
  proto->set_running(job.counts.running);
  proto->set_returned(by_end[static_cast<int>(End::kReturned)]);
  proto->set_trapped(by_end[static_cast<int>(End::kTrapped)]);
  proto->set_exited(by_end[static_cast<int>(End::kExited)]);
  proto->set_out_of_fuel(by_end[static_cast<int>(End::kOutOfFuel)]);
  proto->set_output_limit(by_end[static_cast<int>(End::kOutputLimit)]);
  proto->set_cancelled(by_end[static_cast<int>(End::kCancelled)]);
  proto->set_deadline(by_end[static_cast<int>(End::kDeadline)]);
  proto->set_failed(by_end[static_cast<int>(End::kFailed)]);
  proto->set_job_out_of_fuel(by_end[static_cast<int>(End::kJobOutOfFuel)]);
  proto->set_results_limit(by_end[static_cast<int>(End::kResultsLimit)]);
  proto->set_expired(by_end[static_cast<int>(End::kExpired)]);
}

void ProgressToProto(const JobInfo& job, v1::ReadResultsResponse* proto) {
  CountsToProto(job, proto->mutable_counts());
  if (HasForecast(job)) ForecastToProto(job, proto->mutable_forecast());
}

void JobToProto(const JobInfo& job, bool with_program, v1::Job* proto) {
  if (!job.id.empty()) proto->set_name(JobName(job.id));
  proto->set_module(ModuleName(job.request->module));
  for (const LinkedModuleName& linked : job.request->linked) {
    v1::LinkedModule* shown = proto->add_linked();
    shown->set_name(linked.name);
    shown->set_module(ModuleName(linked.module));
  }
  for (const Binding& binding : job.request->bindings) {
    BindingToProto(binding, proto->add_bindings());
  }
  proto->set_dump_on_trap(job.request->dump_on_trap);
  if (const auto timeout = job.request->host_call_timeout) {
    DurationToProto(*timeout, proto->mutable_host_call_timeout());
  }
  if (with_program) {
    const std::vector<Step>& steps = job.request->steps;
    const size_t shown = std::min(job.request->shown_steps, steps.size());
    for (size_t i = 0; i < shown; ++i) StepToProto(steps[i], proto->add_steps());
  }
  proto->set_instances(job.request->instances);
  LimitsToProto(job.request->limits, proto->mutable_limits());
  proto->set_placement(PlacementToProto(job.request->placement));
  proto->set_floats(job.request->fast32 ? v1::FAST32 : v1::EXACT);
  if (job.request->hint != LaneHint::kNone) {
    proto->add_hints(std::string(LaneHintName(job.request->hint)));
  }
  if (const uint32_t instances = job.request->profile_instances; instances != 0) {
    proto->mutable_profile()->set_instances(instances);
  }
  for (const auto& [key, value] : job.request->labels) (*proto->mutable_labels())[key] = value;
  proto->set_state(StateToProto(job.state));
  if (!job.error.ok()) ToProto(job.error, proto->mutable_error());
  CountsToProto(job, proto->mutable_counts());
  UsageToProto(job.usage, proto->mutable_usage());
  proto->set_waiting_for(job.waiting_for);
  proto->set_device(job.device);
  proto->set_placement_reason(job.placement_reason);
  TierToProto(job, proto);
  DivergenceToProto(job.usage.lane_fuel, proto);
  proto->set_limit_reached(job.usage.limit);
  proto->set_results_dropped(job.results_dropped);
  proto->set_session(job.request->session);
  TimesToProto(job, proto);
  if (HasForecast(job)) ForecastToProto(job, proto->mutable_forecast());
  if (!job.request->trace.trace_id.empty()) {
    TraceToProto(job.request->trace, proto->mutable_trace());
  }
}

void TraceToProto(const TraceContext& trace, v1::Trace* proto) {
  proto->set_trace_id(trace.trace_id);
  proto->set_span_id(trace.span_id);
  proto->set_parent_span_id(trace.parent_span_id);
  proto->set_sampled(trace.sampled);
}

void ExportToProto(const Module& module, const Export& exported, v1::ModuleExport* proto) {
  proto->set_name(exported.name);
  proto->set_kind(std::string(ExternKindName(exported.kind)));
  proto->set_type(ExternTypeText(module, exported.kind, exported.index));
  if (exported.kind == ExternKind::kGlobal) {
    proto->set_value_type(TypeToProto(module.globals[exported.index].type));
  }
  if (exported.kind != ExternKind::kFunction) return;
  const FunctionType& type = module.type_of(exported.index);
  for (ValueType param : type.params) proto->add_params(TypeToProto(param));
  for (ValueType result : type.results) proto->add_results(TypeToProto(result));
}

void ModuleToProto(const StoredModule& stored, v1::Module* proto) {
  const Module& module = *stored.module;
  proto->set_name(ModuleName(module.digest()));
  proto->set_size_bytes(module.binary().size());
  for (const Import& import : module.imports) {
    v1::ModuleImport* shown = proto->add_imports();
    shown->set_module(import.module);
    shown->set_name(import.name);
    shown->set_kind(std::string(ExternKindName(import.kind)));
    shown->set_type(ExternTypeText(module, import.kind, import.index));
  }
  for (const Export& exported : module.exports) {
    ExportToProto(module, exported, proto->add_exports());
  }
  if (!module.memories.empty()) {
    proto->set_memory_min_pages(module.memories[0].limits.min);
    proto->set_memory_max_pages(module.memories[0].limits.max.value_or(0));
  }
  proto->set_has_start_function(module.start.has_value());
  proto->set_functions(static_cast<uint32_t>(module.bodies.size()));
  for (const uint32_t flags : ScriptClassFlags(module)) proto->add_class_flags(flags);
  HintsToProto(HintsOf(module.binary()), proto);
  if (stored.create_unix_ns != 0) {
    TimeToProto(stored.create_unix_ns, proto->mutable_create_time());
  }
}

}  // namespace wb
