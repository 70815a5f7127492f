#include "daemon/translate/translate_result.h"

#include <algorithm>

#include "daemon/translate/translate_binding.h"
#include "daemon/translate/translate_value.h"
#include "wasmburst/v1/results.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

// Numbers: end.def + 1 (0 is "unspecified").
#define WB_END(name, upper, number) constexpr int kEnd##name = (number) + 1;
#include "compiler/abi/end.def"
#undef WB_END
static_assert(v1::RETURNED == kEndReturned && v1::TRAPPED == kEndTrapped);
static_assert(v1::EXITED == kEndExited && v1::OUT_OF_FUEL == kEndOutOfFuel);
static_assert(v1::OUTPUT_LIMIT == kEndOutputLimit && v1::CANCELLED_BY_USER == kEndCancelled);
static_assert(v1::DEADLINE == kEndDeadline && v1::ENGINE_FAILED == kEndFailed);
static_assert(v1::JOB_OUT_OF_FUEL == kEndJobOutOfFuel && v1::EXPIRED == kEndExpired);
static_assert(v1::RESULTS_LIMIT == kEndResultsLimit);

static_assert(v1::BUILD_UNSPECIFIED == static_cast<int>(KernelBuild::kNone));
static_assert(v1::INTERPRETED == static_cast<int>(KernelBuild::kInterpreted));
static_assert(v1::QUICK == static_cast<int>(KernelBuild::kQuick));
static_assert(v1::FULL == static_cast<int>(KernelBuild::kFull));

void TrapToProto(Trap trap, uint32_t function, uint32_t offset, const std::string& module,
                 v1::Trap* proto) {
  proto->set_code(std::string(TrapName(trap)));
  proto->set_message(std::string(TrapWords(trap)));
  proto->set_function(function);
  proto->set_offset(offset);
  proto->set_module(module);
}

}  // namespace

void ResultToProto(const InstanceResult& result, size_t shown_steps, v1::InstanceResult* proto,
                   const std::vector<RecordedImport>& recorded) {
  proto->set_instance(result.instance);
  proto->set_attempt(result.attempt);
  proto->set_end(static_cast<v1::End>(static_cast<int>(result.end) + 1));
  if (result.trap != Trap::kNone) {
    TrapToProto(result.trap, result.trap_function, result.trap_offset, result.trap_module,
                proto->mutable_trap());
    if (result.trap == Trap::kAssertionFailed) {
      proto->mutable_trap()->set_message(std::string(TrapWords(result.trap)) + ", code " +
                                         std::to_string(static_cast<int32_t>(result.exit_code)));
    }
    if (!result.host_error.empty()) proto->mutable_trap()->set_host_error(result.host_error);
  }
  proto->set_exit_code(result.exit_code);
  proto->set_step(static_cast<uint32_t>(std::min<size_t>(result.step, shown_steps)));
  proto->set_fuel(result.fuel);
  proto->set_memory_pages(result.memory_pages);
  for (size_t i = 0; i < std::min(shown_steps, result.steps.size()); ++i) {
    const StepResult& step = result.steps[i];
    v1::StepResult* shown = proto->add_steps();
    for (const Value& value : step.values) ValueToProto(value, shown->add_values());
    if (step.trap != Trap::kNone) {
      TrapToProto(step.trap, step.trap_function, step.trap_offset, step.trap_module,
                  shown->mutable_trap());
    }
  }
  for (const Output& output : result.outputs) {
    if (!recorded.empty() && IsRecord(output.name)) {
      CallsToProto(output.bytes, recorded, proto->mutable_calls());
      continue;
    }
    v1::Output* shown = proto->add_outputs();
    shown->set_name(output.name);
    shown->set_data(output.bytes.data(), output.bytes.size());
  }
  for (const TraceFrame& frame : result.backtrace) {
    v1::TraceFrame* shown = proto->add_backtrace();
    shown->set_function(frame.function);
    shown->set_offset(frame.offset);
    shown->set_module(frame.module);
  }
  proto->set_backtrace_error(result.backtrace_error);
  proto->set_device(result.device);
  proto->set_fast32(result.fast32);
  proto->set_build(static_cast<v1::Build>(result.build));
}

}  // namespace wb
