#include "client/cli/run/prepare_job.h"

#include <algorithm>

#include "client/cli/presets/module_guide.h"
#include "client/cli/program/binding_text.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

bool SetZero(v1::ValueType type, v1::Value* value) {
  switch (type) {
    case v1::I32: value->set_i32(0); return true;
    case v1::I64: value->set_i64(0); return true;
    case v1::F32: value->set_f32_bits(0); return true;
    case v1::F64: value->set_f64_bits(0); return true;
    case v1::V128: value->set_v128(std::string(16, '\0')); return true;
    default: return false;
  }
}

// False: an argument is no number.
bool SetCall(const v1::ModuleExport& function, v1::CallStep* call) {
  call->set_function(function.name());
  return std::all_of(function.params().begin(), function.params().end(), [call](int type) {
    return SetZero(static_cast<v1::ValueType>(type), call->add_args()->mutable_constant());
  });
}

bool IsProgram(const v1::Module& module) { return ModuleKind(module) == "a WASI command"; }

// With fewer instructions a job has no common start.
constexpr uint64_t kInstructionsOfAStart = uint64_t{1} << 24;

Status SetStep(const v1::Module& module, const std::string& function, v1::Job* job) {
  for (const v1::ModuleExport& one : module.exports()) {
    v1::CallStep call;
    if (one.kind() != "function" || (!function.empty() && one.name() != function)) continue;
    if (!SetCall(one, &call)) continue;
    *job->add_steps()->mutable_call() = std::move(call);
    return {};
  }
  if (!function.empty()) {
    return Status(Reason::kEntryPointNotFound,
                  "The module exports no function [" + function +
                      "] whose arguments are numbers. wasmburstctl module get names its exports.");
  }
  return Status(Reason::kEntryPointNotFound,
                "The module exports no function whose arguments are numbers, so no job calls one "
                "and nothing can be prepared.");
}

}  // namespace

Result<v1::Job> PrepareJob(const v1::Module& module, const std::vector<std::string>& bindings,
                           const std::string& function) {
  v1::Job job;
  job.set_module(module.name());
  job.set_instances(1);
  job.mutable_limits()->set_max_fuel(function.empty() ? 1 : kInstructionsOfAStart);
  if (IsProgram(module) && function.empty()) {
    job.mutable_command();
  } else {
    WB_TRY(SetStep(module, function, &job));
  }
  for (const std::string& text : bindings) {
    WB_ASSIGN(*job.add_bindings(), ParseBinding(text));
  }
  return job;
}

}  // namespace wb::cli
