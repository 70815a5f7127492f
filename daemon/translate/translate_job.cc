#include "daemon/translate/translate_job.h"

#include <charconv>
#include <cstdlib>
#include <limits>

#include "daemon/store/names.h"
#include "daemon/translate/translate_binding.h"
#include "daemon/translate/translate_command.h"
#include "daemon/translate/translate_operand.h"
#include "daemon/translate/translate_status.h"
#include "daemon/translate/translate_time.h"
#include "daemon/translate/translate_value.h"
#include "scheduler/base/quoted.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr int kMostSteps = 65536;
constexpr int kMostColumns = 1024;
constexpr int kMostArguments = 1000;  // wabt's and browsers' limit of parameters
constexpr int32_t kHighestPriority = 8;
constexpr size_t kMostLabels = 64;
constexpr int kMostLinked = 64;
constexpr uint32_t kMostDumps = 64;

Result<Step> CallFromProto(const v1::CallStep& proto, const std::string& field) {
  if (proto.args_size() > kMostArguments) {
    return FieldError(field + ".args", "has more than 1,000 arguments");
  }
  CallStep step;
  step.function = proto.function();
  step.instance = proto.module();
  step.go_on_after_trap = proto.go_on_after_trap();
  for (int i = 0; i < proto.args_size(); ++i) {
    std::string at = field + ".args[" + std::to_string(i) + "]";
    WB_ASSIGN(Operand operand, OperandFromProto(proto.args(i), at));
    step.args.push_back(operand);
  }
  return Step(step);
}

Result<Step> ReadFromProto(const v1::ReadStep& proto, const std::string& field) {
  ReadStep step;
  WB_ASSIGN(step.pointer, OperandFromProto(proto.pointer(), field + ".pointer"));
  WB_ASSIGN(step.length, OperandFromProto(proto.length(), field + ".length"));
  step.output = proto.output();
  step.until_zero = proto.until_zero();
  if (step.output.size() > kLongestName) {
    return FieldError(field + ".output", "is longer than 1,024 bytes");
  }
  if (!v1::TextEncoding_IsValid(proto.text())) {
    return FieldError(field + ".text", "is no encoding; known are NO_TEXT, UTF_8 and UTF_16");
  }
  step.text = static_cast<TextEncoding>(proto.text());
  return Step(step);
}

Result<Step> StepFromProto(const v1::Step& proto, const std::string& field) {
  if (proto.has_call()) return CallFromProto(proto.call(), field + ".call");
  if (proto.has_write()) {
    WriteStep step;
    WB_ASSIGN(step.pointer, OperandFromProto(proto.write().pointer(), field + ".write.pointer"));
    step.column = proto.write().column();
    return Step(step);
  }
  if (proto.has_read()) return ReadFromProto(proto.read(), field + ".read");
  if (proto.has_store()) {
    StoreStep step;
    WB_ASSIGN(step.pointer, OperandFromProto(proto.store().pointer(), field + ".store.pointer"));
    WB_ASSIGN(step.value, OperandFromProto(proto.store().value(), field + ".store.value"));
    return Step(step);
  }
  return FieldError(field, "is neither call, write, read nor store");
}

// `asked`, or the default where it is 0; an error above the maximum.
Result<uint64_t> LimitFromProto(uint64_t asked, uint64_t fallback, uint64_t highest,
                                const std::string& field) {
  if (asked == 0) return fallback;
  if (asked <= highest) return asked;
  return Status(Reason::kLimitTooHigh,
                "The field [" + field + "] asks for [" + std::to_string(asked) +
                    "]; this daemon allows at most [" + std::to_string(highest) + "].",
                {{"field", field}, {"maximum", std::to_string(highest)}});
}

Result<JobLimits> LimitsFromProto(const v1::Limits& proto, const Config& config) {
  const Config::Limits& low = config.default_limits;
  const Config::Limits& high = config.highest_limits;
  JobLimits limits;
  WB_ASSIGN(limits.max_fuel,
            LimitFromProto(proto.max_fuel(), low.max_fuel, high.max_fuel, "job.limits.max_fuel"));
  WB_ASSIGN(limits.max_memory_bytes,
            LimitFromProto(proto.max_memory_bytes(), low.max_memory_bytes, high.max_memory_bytes,
                           "job.limits.max_memory_bytes"));
  WB_ASSIGN(uint64_t stack, LimitFromProto(proto.max_stack(), low.max_stack, high.max_stack,
                                           "job.limits.max_stack"));
  WB_ASSIGN(uint64_t output, LimitFromProto(proto.max_output_bytes(), low.max_output_bytes,
                                            high.max_output_bytes, "job.limits.max_output_bytes"));
  limits.max_stack = static_cast<uint32_t>(stack);
  limits.max_output_bytes = static_cast<uint32_t>(output);
  if (proto.has_max_time()) {
    WB_ASSIGN(limits.max_time, DurationFromProto(proto.max_time(), "job.limits.max_time"));
  }
  if (proto.max_total_fuel() != 0) limits.max_total_fuel = proto.max_total_fuel();
  if (proto.max_results_bytes() != 0) limits.max_results_bytes = proto.max_results_bytes();
  if (proto.has_max_total_time()) {
    WB_ASSIGN(limits.max_total_time,
              DurationFromProto(proto.max_total_time(), "job.limits.max_total_time"));
  }
  return limits;
}

Status CheckInstances(uint64_t instances, const Config& config) {
  if (instances == 0) return FieldError("job.instances", "must be at least 1");
  if (instances <= config.max_instances) return {};
  return Status(Reason::kLimitTooHigh,
                "The field [job.instances] asks for [" + std::to_string(instances) +
                    "]; this daemon allows at most [" + std::to_string(config.max_instances) + "].",
                {{"field", "job.instances"}, {"maximum", std::to_string(config.max_instances)}});
}

Status ReadLabels(const v1::Job& proto, JobRequest* request) {
  if (proto.labels().size() > kMostLabels) return FieldError("job.labels", "has more than 64");
  for (const auto& [key, value] : proto.labels()) {
    if (key.size() > kLongestName || value.size() > kLongestName) {
      return FieldError("job.labels", "has a key or value of more than 1,024 bytes");
    }
    request->labels[key] = value;
  }
  const auto tenant = request->labels.find("tenant");
  if (tenant != request->labels.end()) request->tenant = tenant->second;
  const auto priority = request->labels.find("priority");
  if (priority == request->labels.end()) return {};
  const std::string& text = priority->second;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), request->priority);
  if (error == std::errc() && end == text.data() + text.size() &&
      std::abs(request->priority) <= kHighestPriority) {
    return {};
  }
  return FieldError("job.labels[priority]", "is not a whole number from -8 to 8");
}

Status ReadLinked(const v1::Job& proto, JobRequest* request) {
  if (proto.linked_size() > kMostLinked) return FieldError("job.linked", "has more than 64");
  for (int i = 0; i < proto.linked_size(); ++i) {
    const std::string field = "job.linked[" + std::to_string(i) + "]";
    LinkedModuleName linked;
    linked.name = proto.linked(i).name();
    if (linked.name.empty()) return FieldError(field + ".name", "is empty");
    if (linked.name.size() > kLongestName) {
      return FieldError(field + ".name", "is longer than 1,024 bytes");
    }
    for (const LinkedModuleName& other : request->linked) {
      if (other.name == linked.name) return FieldError(field + ".name", "is given twice");
    }
    WB_ASSIGN(linked.module, ParseModuleName(proto.linked(i).module()));
    request->linked.push_back(std::move(linked));
  }
  return {};
}

// Values that came with the request are the job's own; those of an upload are the store's.
Status ReadColumns(const v1::Job& proto, const FindInput& find_input, ParsedJob* job) {
  if (proto.columns_size() > kMostColumns) return FieldError("job.columns", "has more than 1,024");
  for (int i = 0; i < proto.columns_size(); ++i) {
    const std::string field = "job.columns[" + std::to_string(i) + "]";
    const v1::Column& column = proto.columns(i);
    WB_ASSIGN(Column read, ColumnFromProto(column, proto.instances(), find_input, field));
    const uint64_t bytes = read.data == nullptr ? 0 : read.data->held_bytes();
    if (column.has_uploaded()) {
      WB_ASSIGN(const Digest digest, ParseInputName(column.uploaded().input(), field));
      job->request.inputs.shared.push_back({digest, bytes});
    } else {
      job->request.holds.bytes += sizeof(Column) + bytes;
    }
    job->columns.push_back(std::move(read));
  }
  return {};
}

// `is_program`: the system layer has steps of its own.
Status ReadSteps(const v1::Job& proto, bool is_program, ParsedJob* job) {
  if (proto.steps_size() == 0 && !is_program) {
    return FieldError("job.steps", "needs at least one step");
  }
  if (proto.steps_size() > kMostSteps) return FieldError("job.steps", "has more than 65,536");
  for (int i = 0; i < proto.steps_size(); ++i) {
    WB_ASSIGN(Step step, StepFromProto(proto.steps(i), "job.steps[" + std::to_string(i) + "]"));
    job->request.steps.push_back(std::move(step));
  }
  return {};
}

// Those of a module that reads them itself.
Status ReadInputs(const v1::Job& proto, ParsedJob* job) {
  if (proto.inputs_size() > kMostColumns) return FieldError("job.inputs", "has more than 1,024");
  for (int i = 0; i < proto.inputs_size(); ++i) {
    WB_TRY(CheckBytesColumn(*job, proto.inputs(i), "job.inputs[" + std::to_string(i) + "]"));
    job->request.input_columns.push_back(proto.inputs(i));
  }
  return {};
}

// What the module reads: as a program the inputs of the system layer, else its own.
Status ReadModuleInputs(const v1::Job& proto, bool is_program, ParsedJob* job) {
  job->request.has_command = is_program;
  if (is_program && proto.inputs_size() > 0) {
    return FieldError("job.inputs", "cannot be given to a program; give job.command");
  }
  return is_program ? AddCommand(proto.command(), job) : ReadInputs(proto, job);
}

Status ReadDumps(const v1::Job& proto, JobRequest* request) {
  if (proto.dump_on_trap() > kMostDumps) return FieldError("job.dump_on_trap", "is more than 64");
  request->dump_on_trap = proto.dump_on_trap();
  return {};
}

Result<bool> Fast32FromProto(v1::Floats floats) {
  switch (floats) {
    case v1::FLOATS_UNSPECIFIED:
    case v1::EXACT: return false;
    case v1::FAST32: return true;
    default: return FieldError("job.floats", "is not a known kind of floats");
  }
}

}  // namespace

namespace {

Result<LaneHint> HintFromProto(const v1::Job& proto) {
  LaneHint found = LaneHint::kNone;
  for (int i = 0; i < proto.hints_size(); ++i) {
    const std::string field = "job.hints[" + std::to_string(i) + "]";
    const std::optional<LaneHint> hint = LaneHintNamed(proto.hints(i));
    if (!hint) {
      return FieldError(field, "is " + Quoted(proto.hints(i)) +
                                   "; known hints are \"divergent\" and \"uniform\"");
    }
    if (found != LaneHint::kNone && found != *hint) {
      return FieldError(field, "excludes the one before it");
    }
    found = *hint;
  }
  return found;
}

// Of a stored job; a request's own is not looked at (PrepareRequest).
TraceContext TraceFromProto(const v1::Trace& proto) {
  return {proto.trace_id(), proto.span_id(), proto.parent_span_id(), proto.sampled()};
}

Status ReadProfile(const v1::Job& proto, JobRequest* request) {
  request->profile_instances = proto.profile().instances();
  if (request->profile_instances <= ProfileLimits::kMostInstances) return {};
  return Status(Reason::kLimitTooHigh,
                "The job asks for a profile of " + Quoted(uint64_t{request->profile_instances}) +
                    " instances; at most " + Quoted(ProfileLimits::kMostInstances) +
                    " are run again.",
                {{"field", "job.profile.instances"},
                 {"maximum", std::to_string(ProfileLimits::kMostInstances)}});
}

}  // namespace

Result<ParsedJob> JobFromProto(const v1::Job& proto, const Config& config,
                               const FindInput& find_input, bool imports_wasi) {
  ParsedJob job;
  const bool is_program = proto.has_command() || imports_wasi;
  WB_TRY(CheckInstances(proto.instances(), config));
  job.request.instances = proto.instances();
  WB_TRY(ReadSteps(proto, is_program, &job));
  WB_TRY(ReadColumns(proto, find_input, &job));
  WB_ASSIGN(job.request.limits, LimitsFromProto(proto.limits(), config));
  WB_ASSIGN(job.request.placement, PlacementFromProto(proto.placement(), "job.placement"));
  WB_ASSIGN(job.request.fast32, Fast32FromProto(proto.floats()));
  WB_ASSIGN(job.request.hint, HintFromProto(proto));
  WB_TRY(ReadProfile(proto, &job.request));
  WB_TRY(ReadLabels(proto, &job.request));
  WB_TRY(ReadLinked(proto, &job.request));
  WB_ASSIGN(job.request.bindings, BindingsFromProto(proto));
  if (proto.has_host_call_timeout()) {
    WB_ASSIGN(job.request.host_call_timeout,
              DurationFromProto(proto.host_call_timeout(), "job.host_call_timeout"));
  }
  WB_TRY(ReadModuleInputs(proto, is_program, &job));
  WB_TRY(ReadDumps(proto, &job.request));
  job.request.trace = TraceFromProto(proto.trace());
  return job;
}

namespace {

// As they were applied: today's maxima do not matter.
Result<JobLimits> ShownLimits(const v1::Limits& proto) {
  Config config;
  config.highest_limits = {UINT64_MAX, UINT64_MAX, UINT32_MAX, UINT32_MAX};
  return LimitsFromProto(proto, config);
}

}  // namespace

Result<JobRequest> ShownJobFromProto(const v1::Job& proto) {
  ParsedJob job;
  JobRequest& request = job.request;
  request.instances = proto.instances();
  WB_ASSIGN(request.module, ParseModuleName(proto.module()));
  WB_TRY(ReadSteps(proto, true, &job));
  WB_ASSIGN(request.limits, ShownLimits(proto.limits()));
  WB_ASSIGN(request.placement, PlacementFromProto(proto.placement(), "job.placement"));
  WB_ASSIGN(request.fast32, Fast32FromProto(proto.floats()));
  WB_ASSIGN(request.hint, HintFromProto(proto));
  WB_TRY(ReadProfile(proto, &request));
  WB_TRY(ReadLabels(proto, &request));
  WB_TRY(ReadLinked(proto, &request));
  WB_ASSIGN(request.bindings, BindingsFromProto(proto));
  if (proto.has_host_call_timeout()) {
    WB_ASSIGN(request.host_call_timeout,
              DurationFromProto(proto.host_call_timeout(), "job.host_call_timeout"));
  }
  WB_TRY(ReadDumps(proto, &request));
  request.trace = TraceFromProto(proto.trace());
  request.session = proto.session();
  return request;
}

Result<Placement> PlacementFromProto(int placement, const std::string& field) {
  switch (placement) {
    case v1::PLACEMENT_UNSPECIFIED: return Placement::kAuto;
    case v1::AUTO: return Placement::kAuto;
    case v1::CPU: return Placement::kCpu;
    case v1::INTERPRETER: return Placement::kInterpreter;
    case v1::GPU: return Placement::kGpu;
    default: return FieldError(field, "is not a known placement");
  }
}

}  // namespace wb
