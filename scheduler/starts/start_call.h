#pragma once

// Which common start a job's instances may have (compiler/docs/common_start.md). Pure.

#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/job/job_plan.h"

namespace wb {

struct StartCall {
  uint32_t function = 0;       // that every instance calls first
  std::vector<uint32_t> also;  // that it may call later, ascending
  auto operator<=>(const StartCall&) const = default;
};

// A start costs no more, so that a job with lower limits has none.
inline constexpr uint64_t kMostStartFuel = uint64_t{1} << 24;
inline constexpr uint32_t kMostStartStack = CommonStart::kMostStack;

// nullopt: the first step is no call, or is called again; instances begin in states of their own or
// in groups; or limits are lower than what a start may cost.
std::optional<StartCall> StartCallOf(const JobPlan& plan);

}  // namespace wb
