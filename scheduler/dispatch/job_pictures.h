#pragma once

// JobPictures: what is measured of a job and of the devices that it may use, as the decisions of
// scheduler/placement read it; and the pace and the next review of a job, which follow from that.
//
// Only on the coordinator's thread.

#include <vector>

#include "scheduler/base/lru.h"
#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/placement/build_choice.h"
#include "scheduler/placement/decision.h"
#include "scheduler/placement/rate_book.h"

namespace wb {

class JobPictures {
 public:
  JobPictures(CoordinatedJobs& jobs, const PipelineBuilder& builder, const RateBook& rates)
      : jobs_(jobs), builder_(builder), rates_(rates) {}

  Candidate CandidateOf(const ActiveJobRef& job, DeviceLoop* device);
  JobPicture PictureOf(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices);
  WorkRates RatesOf(const ActiveJob& job, const Candidate& candidate, uint64_t waiting) const;
  // What launches have shown of its quick build on the device and of the interpreter.
  QuickChoice CompareQuickBuild(const ActiveJobRef& job, DeviceLoop* device,
                                DeviceLoop* interpreter);

  // How long an instance of the job is taken to be, by jobs of the same task that ended before:
  // instructions; 0: not known.
  double LengthOf(const ActiveJob& job);
  void RecordLength(const ActiveJob& job);  // the job ends

  // Launches of an unsettled job end when the whole job should have ended; then it is reviewed.
  static void SetNextReview(ActiveJob& job, const JobPicture& picture);
  // The share of the job that each of these devices has.
  void SetPaces(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices);

 private:
  KernelBuild BuildOn(const DeviceLoop& device, const PlacementState& placement) const;

  CoordinatedJobs& jobs_;
  const PipelineBuilder& builder_;
  const RateBook& rates_;
  Lru<Digest, double> lengths_{RateBook::kMostRemembered};  // by JobPlan::task
};

}  // namespace wb
