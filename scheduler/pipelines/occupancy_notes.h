#pragma once

// OccupancyNotes: what pipelines' launches settled on, beside the cached pipelines: for each kind
// of device one note of three words, little-endian: lanes, threads of a block, the device's
// processors.
//
// Threads: any.

#include <optional>

#include "compiler/base/digest.h"
#include "scheduler/devices/device.h"
#include "scheduler/pipelines/pipeline_cache.h"

namespace wb {

// Whose occupancy it is.
struct OccupancyOwner {
  Digest pipeline;       // its key
  bool is_best = false;  // of its best build, which has other kernels than the full one
  Digest module;
  Digest calls;  // CallsOf(spec)
  DeviceInfo device;
};

class OccupancyNotes {
 public:
  explicit OccupancyNotes(PipelineCache& cache) : cache_(cache) {}  // which outlives this

  // nullopt: there is no note, or none that fits the device.
  std::optional<Occupancy> Find(const OccupancyOwner& owner) const;
  void Remember(const OccupancyOwner& owner, const Occupancy& occupancy) const;

 private:
  PipelineCache& cache_;
};

}  // namespace wb
