#include "scheduler/pipelines/build_estimates.h"

#include <chrono>

namespace wb {

void BuildEstimates::Record(const BuildRequest& request, const Result<BuiltPipeline>& outcome) {
  if (!outcome.ok() || outcome->cached) return;
  times_.Record(request.target, outcome->pipeline.IsQuick(), request.lowered->source.text.size(),
                std::chrono::duration<double>(outcome->time).count());
}

double BuildEstimates::SecondsFor(const LoweredRef& lowered, const BuildTarget& device) const {
  const DeviceInfo info = device.info();
  const uint64_t bytes = lowered->source.text.size();
  return times_.Expect(info.target, HasQuickBuild(info, bytes), bytes);
}

double BuildEstimates::SecondsForFull(const LoweredRef& lowered, const BuildTarget& device) const {
  const uint64_t bytes = lowered->source.text.size();
  const double full = times_.Expect(device.info().target, false, bytes);
  const bool is_second = FirstBuild(lowered, device) == KernelBuild::kQuick;
  return is_second ? SecondsFor(lowered, device) + full : full;
}

KernelBuild BuildEstimates::FirstBuild(const LoweredRef& lowered, const BuildTarget& device) const {
  const bool is_quick = HasQuickBuild(device.info(), lowered->source.text.size());
  return is_quick ? KernelBuild::kQuick : KernelBuild::kFull;
}

bool BuildEstimates::IsTimed(const LoweredRef& lowered, const BuildTarget& device) const {
  const DeviceInfo info = device.info();
  return times_.Knows(info.target, HasQuickBuild(info, lowered->source.text.size()));
}

}  // namespace wb
