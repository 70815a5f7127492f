#pragma once

// BuildEstimates: what a device's compiler is expected to take for a kernel text, by what it took
// for others (build_times.h). Only on the coordinator's thread.

#include "scheduler/pipelines/build_request.h"
#include "scheduler/pipelines/build_times.h"

namespace wb {

class BuildEstimates {
 public:
  // Seconds until there is a pipeline: the quick one, where the device has a quick way.
  double SecondsFor(const LoweredRef& lowered, const BuildTarget& device) const;
  double SecondsForFull(const LoweredRef& lowered, const BuildTarget& device) const;
  double SecondsForBest(const LoweredRef& lowered, const BuildTarget& device) const;
  KernelBuild FirstBuild(const LoweredRef& lowered, const BuildTarget& device) const;
  // The compiler was timed: SecondsFor() is no guess.
  bool IsTimed(const LoweredRef& lowered, const BuildTarget& device) const;
  void Record(const BuildRequest& request, const Result<BuiltPipeline>& outcome);

 private:
  BuildTimes times_;
};

}  // namespace wb
