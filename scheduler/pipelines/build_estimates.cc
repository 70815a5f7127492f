#include "scheduler/pipelines/build_estimates.h"

#include <chrono>

namespace wb {
namespace {

Effort FirstEffort(const DeviceInfo& device, uint64_t text_bytes) {
  return HasQuickBuild(device, text_bytes) ? Effort::kQuick : Effort::kFull;
}

}  // namespace

void BuildEstimates::Record(const BuildRequest& request, const Result<BuiltPipeline>& outcome) {
  if (!outcome.ok() || outcome->cached) return;
  times_.Record(request.target, outcome->pipeline.effort(), request.lowered->source.text.size(),
                std::chrono::duration<double>(outcome->time).count());
}

double BuildEstimates::SecondsFor(const LoweredRef& lowered, const BuildTarget& device) const {
  const DeviceInfo info = device.info();
  const uint64_t bytes = lowered->source.text.size();
  return times_.Expect(info.target, FirstEffort(info, bytes), bytes);
}

double BuildEstimates::SecondsForFull(const LoweredRef& lowered, const BuildTarget& device) const {
  const uint64_t bytes = lowered->source.text.size();
  const double full = times_.Expect(device.info().target, Effort::kFull, bytes);
  const bool is_second = FirstBuild(lowered, device) == KernelBuild::kQuick;
  return is_second ? SecondsFor(lowered, device) + full : full;
}

double BuildEstimates::SecondsForBest(const LoweredRef& lowered, const BuildTarget& device) const {
  return times_.Expect(device.info().target, Effort::kBest, lowered->source.text.size());
}

KernelBuild BuildEstimates::FirstBuild(const LoweredRef& lowered, const BuildTarget& device) const {
  const bool is_quick = HasQuickBuild(device.info(), lowered->source.text.size());
  return is_quick ? KernelBuild::kQuick : KernelBuild::kFull;
}

bool BuildEstimates::IsTimed(const LoweredRef& lowered, const BuildTarget& device) const {
  const DeviceInfo info = device.info();
  return times_.Knows(info.target, FirstEffort(info, lowered->source.text.size()));
}

}  // namespace wb
