#pragma once

// JobPlaces: which devices a job may use, by what it asks for, which devices are open, and where it
// has failed. What is fast is not its matter (job_pictures.h).
//
// Only on the coordinator's thread.

#include <vector>

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/device_set.h"

namespace wb {

class JobPlaces {
 public:
  // A device joins one job at most so often, so that no job goes to and fro for ever.
  static constexpr uint32_t kMostJoins = 4;

  JobPlaces(CoordinatedJobs& jobs, const DeviceSet& devices, bool start_on_interpreter)
      : jobs_(jobs), devices_(devices), start_on_interpreter_(start_on_interpreter) {}

  // It may run on the interpreter until it has a pipeline.
  bool MayWarmUp(const ActiveJobRef& job) const;
  // The class of device that its compiled kernel runs on first. A GPU stands in for a CPU device
  // that is closed.
  DeviceClass CompiledClassOf(const ActiveJobRef& job) const;
  bool IsMeantFor(const ActiveJobRef& job, const DeviceLoop* device) const;
  // The device is a GPU that stands in for a closed CPU device.
  bool StandsIn(const ActiveJobRef& job, const DeviceLoop* device) const;

  // The device of the class to begin on: with few jobs, healthy, open. One on which the job failed
  // comes last, even behind closed ones, or it would be tried again and again. nullptr: the machine
  // has none.
  DeviceLoop* Pick(const ActiveJobRef& job, DeviceClass device_class) const;

  // The devices that may have the job together.
  std::vector<DeviceLoop*> SharersOf(const ActiveJob& job) const;
  bool MayShare(const ActiveJob& job) const { return SharersOf(job).size() > 1; }
  // Of those, the ones that have it or could get it now. The interpreter uses the CPU device's
  // processors: those two never have a job at the same time. Where the interpreter has it, it is
  // named in the CPU device's place. Where neither has it, and the CPU device has a quick build,
  // both are named, and the quicker one is to join.
  std::vector<DeviceLoop*> CandidatesOf(const ActiveJobRef& job) const;
  // The device is open, did not fail the job and has not joined it too often.
  bool CouldGet(const ActiveJobRef& job, DeviceLoop* device) const;
  bool HasQuickBuild(const ActiveJobRef& job) const;  // of the CPU device, and no full one yet

  // It failed there through the device's fault: whether another device of the class is left.
  bool MayGoToAnother(const ActiveJobRef& job, DeviceLoop* device);

 private:
  bool HasFailedOn(const ActiveJobRef& job, DeviceLoop* device) const;
  bool HasOpenGpu(const ActiveJobRef& job) const;
  bool IsCandidate(const ActiveJobRef& job, DeviceLoop* device) const;

  CoordinatedJobs& jobs_;
  const DeviceSet& devices_;
  const bool start_on_interpreter_;
};

}  // namespace wb
