#include "scheduler/starts/start_call.h"

#include <algorithm>

namespace wb {

std::optional<StartCall> StartCallOf(const JobPlan& plan) {
  const JobLimits& limits = plan.spec.limits;
  if (limits.max_fuel < kMostStartFuel || limits.max_stack < kMostStartStack) return std::nullopt;
  if (plan.group != 1 || plan.spec.residents != nullptr) return std::nullopt;
  StartCall call;
  for (size_t step = 0; step < plan.program.steps.size(); ++step) {
    const uint32_t* row = plan.program.words.data() + step * abi::STEP_WORDS;
    const bool is_call = row[abi::STEP_KIND] == abi::STEP_CALL;
    const uint32_t function = row[abi::STEP_FUNCTION];
    if (step == 0) {
      if (!is_call) return std::nullopt;
      call.function = function;
    } else if (is_call) {
      if (function == call.function) return std::nullopt;
      call.also.push_back(function);
    }
  }
  std::sort(call.also.begin(), call.also.end());
  call.also.erase(std::unique(call.also.begin(), call.also.end()), call.also.end());
  return call;
}

}  // namespace wb
