#pragma once

// PipelineBook: what a device has of modules, for those who look: each pipeline that it has loaded,
// and what its launches came to. Bounded; outlives the pipelines themselves. Threads: any.

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "scheduler/pipelines/pipeline_status.h"
#include "scheduler/pipelines/prepared_pipeline.h"

namespace wb {

class PipelineBook {
 public:
  static constexpr size_t kMost = 256;  // of them the oldest loaded gives way

  // Its module, and every module that it was linked from, is found under its own digest. One that
  // is loaded again keeps its figures.
  void RecordLoaded(const PreparedPipeline& prepared, const PipelineFacts& facts,
                    uint32_t processors);
  void RecordOccupancy(const PreparedPipeline& prepared, const Occupancy& occupancy);
  struct Launch {
    uint64_t fuel = 0;
    std::chrono::nanoseconds busy{};
    LaneFuel lane_fuel;
  };
  // How long its launches have kept the device busy by now, this one included.
  std::chrono::nanoseconds RecordLaunch(const PreparedPipeline& prepared, const Launch& launch);

  std::vector<PipelineStatus> Of(const Digest& module) const;  // the last loaded first

 private:
  struct Entry {
    Digest key;
    Effort effort = Effort::kFull;
    std::vector<Digest> modules;
    PipelineStatus status;
  };
  Entry* Find(const PreparedPipeline& prepared) WB_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::vector<Entry> entries_ WB_GUARDED_BY(mutex_);  // the last loaded last
};

}  // namespace wb
