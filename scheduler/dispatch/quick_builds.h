#pragma once

// QuickBuilds: jobs whose module has a quick build for the CPU device and not the full one yet.
// Whether the quick build or the interpreter is quicker is seen by launches of this very module
// (placement/build_choice.h); the job runs there until the full build is ready.
//
// Only on the coordinator's thread.

#include <optional>
#include <string>

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/job_pictures.h"
#include "scheduler/dispatch/job_places.h"

namespace wb {

class QuickBuilds {
 public:
  QuickBuilds(CoordinatedJobs& jobs, const DeviceSet& devices, const JobPlaces& places,
              JobPictures& pictures)
      : jobs_(jobs), devices_(devices), places_(places), pictures_(pictures) {}

  // Before a job goes to a device that has the quick build: why it goes to the interpreter instead.
  std::optional<std::string> PrefersInterpreter(const ActiveJobRef& job, DeviceLoop* device,
                                                const BuiltPipeline& built);
  // The CPU device has a quick build, launches have shown that the interpreter is quicker, and the
  // interpreter could get the job.
  bool IsInterpreterQuicker(const ActiveJobRef& job) const;
  // Whether a job leaves the interpreter for the pipeline that its device has by now.
  Change WhetherToLeave(const ActiveJobRef& job);
  // Its launches are to be reviewed.
  bool IsUnsettled(const ActiveJobRef& job, const BuiltPipeline& built) const;
  // It runs on the quick build, and launches have shown that the interpreter is quicker.
  bool IsOnSlowerBuild(const ActiveJobRef& job);

 private:
  CoordinatedJobs& jobs_;
  const DeviceSet& devices_;
  const JobPlaces& places_;
  JobPictures& pictures_;
};

}  // namespace wb
