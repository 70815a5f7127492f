#pragma once

// ResidencyNotes: what pipelines' launches settled on, beside the cached pipelines: for each kind
// of device one note of three words, little-endian: lanes, threads of a block, the device's
// processors.
//
// Threads: any.

#include <optional>

#include "compiler/base/digest.h"
#include "scheduler/devices/device.h"
#include "scheduler/pipelines/pipeline_cache.h"

namespace wb {

// Whose residency it is.
struct ResidencyOwner {
  Digest pipeline;  // its key
  Digest module;
  Digest calls;  // CallsOf(spec)
  DeviceInfo device;
};

class ResidencyNotes {
 public:
  explicit ResidencyNotes(PipelineCache& cache) : cache_(cache) {}  // which outlives this

  // nullopt: there is no note, or none that fits the device.
  std::optional<Residency> Recall(const ResidencyOwner& owner) const;
  void Remember(const ResidencyOwner& owner, const Residency& residency) const;

 private:
  PipelineCache& cache_;
};

}  // namespace wb
