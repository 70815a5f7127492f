#pragma once

// GpuSpread: which of several GPUs have a job together. A job with few instances is on the GPU with
// the fewest jobs, one with many on all that its pipeline fits.
//
// Only on the coordinator's thread.

#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/job_places.h"

namespace wb {

class GpuSpread {
 public:
  GpuSpread(CoordinatedJobs& jobs, const DeviceSet& devices, const JobPlaces& places)
      : jobs_(jobs), devices_(devices), places_(places) {}

  // The devices that get the job with the pipeline of this one: of several GPUs as many as are
  // worth it. Empty: the device is closed.
  std::vector<DeviceLoop*> JoinedWith(const ActiveJobRef& job, DeviceLoop* device);

  // GPUs to which a job with many instances extends, and the pipeline that they take.
  struct Extension {
    std::vector<DeviceLoop*> gpus;  // empty: none
    std::optional<BuiltPipeline> built;
  };
  Extension ExtendToGpus(const ActiveJobRef& job);

 private:
  std::vector<DeviceLoop*> SameTargetGpus(const ActiveJobRef& job, DeviceLoop* device);
  static std::vector<DeviceLoop*> WorthJoining(const ActiveJobRef& job,
                                               std::vector<DeviceLoop*> gpus, uint64_t on);

  CoordinatedJobs& jobs_;
  const DeviceSet& devices_;
  const JobPlaces& places_;
};

}  // namespace wb
