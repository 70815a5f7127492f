#include "scheduler/dispatch/job_pictures.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace wb {
namespace {

// Seconds until a lost engine runs again, where all goes well.
constexpr double kRestart = 3;
constexpr double kFurthestReview = 1e6;  // seconds

// It has the job and has not shown anything of it.
bool IsUnseen(const Candidate& candidate) {
  const std::chrono::duration<double> first = ActiveJob::kFirstLook;
  return candidate.runs && candidate.rates.fuel_per_s <= 0 && candidate.age < first.count();
}

}  // namespace

// The build that it has there, or would get first.
KernelBuild JobPictures::BuildOn(const DeviceLoop& device, const PlacementState& placement) const {
  if (placement.built) return placement.built->pipeline.build;
  return placement.lowered ? builder_.estimates().FirstBuild(placement.lowered, device)
                           : KernelBuild::kFull;
}

WorkRates JobPictures::RatesOf(const ActiveJob& job, const Candidate& candidate,
                               uint64_t waiting) const {
  return rates_.Find(job.plan.work, RateKind(candidate.kind, candidate.build),
                     job.plan.spec.InstancesToRun(), waiting);
}

Candidate JobPictures::CandidateOf(const ActiveJobRef& job, DeviceLoop* device) {
  const PlacementState& placement = *jobs_.PlacementOf(job, device);
  const DeviceInfo info = device->info();
  Candidate candidate;
  candidate.device = info.id;
  candidate.engine = info.engine;
  candidate.kind = KindOf(info);
  candidate.build = BuildOn(*device, placement);
  candidate.lanes = FullWidth(info);
  candidate.rates = RatesOf(*job, candidate, job->Left().waiting);
  candidate.runs = placement.runs;
  candidate.moves = info.moves_lanes && job->plan.group == 1;
  const bool compiles = placement.pipeline == PlacementState::Pipeline::kAbsent ||
                        placement.pipeline == PlacementState::Pipeline::kBuilding;
  if (compiles) candidate.ready_in = builder_.estimates().SecondsFor(placement.lowered, *device);
  if (!device->Look().healthy) candidate.ready_in += kRestart;
  const ActiveJob::Seated seated = job->SeatedAt(info.id);
  candidate.seated = seated.count;
  candidate.age = seated.age;
  return candidate;
}

JobPicture JobPictures::PictureOf(const ActiveJobRef& job,
                                  const std::vector<DeviceLoop*>& devices) {
  JobPicture picture;
  const ActiveJob::Extent left = job->Left();
  picture.waiting = left.waiting;
  picture.fuel_per_instance = left.fuel_per_instance > 0 ? left.fuel_per_instance : LengthOf(*job);
  for (DeviceLoop* device : devices) {
    picture.candidates.push_back(CandidateOf(job, device));
    picture.running_for = std::max(picture.running_for, picture.candidates.back().age);
  }
  return picture;
}

QuickChoice JobPictures::CompareQuickBuild(const ActiveJobRef& job, DeviceLoop* device,
                                           DeviceLoop* interpreter) {
  return CompareQuick(CandidateOf(job, device), CandidateOf(job, interpreter));
}

double JobPictures::LengthOf(const ActiveJob& job) {
  const double* known = lengths_.Find(job.plan.task);
  return known != nullptr ? *known : 0;
}

// Of a job that did not end by itself only the short instances have ended.
void JobPictures::RecordLength(const ActiveJob& job) {
  const ActiveJob::Extent extent = job.Left();
  if (extent.is_whole && extent.fuel_per_instance > 0) {
    lengths_.Put(job.plan.task, extent.fuel_per_instance, 1);
  }
}

void JobPictures::SetNextReview(ActiveJob& job, const JobPicture& picture) {
  const double end = ExpectedEnd(picture);
  const bool is_first = std::isinf(end) ||
                        std::any_of(picture.candidates.begin(), picture.candidates.end(), IsUnseen);
  const std::chrono::duration<double> review(is_first ? 0 : std::min(end, kFurthestReview));
  job.next_look =
      std::max(std::chrono::duration_cast<std::chrono::nanoseconds>(review), ActiveJob::kFirstLook);
}

void JobPictures::SetPaces(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices) {
  const JobPicture picture = PictureOf(job, devices);
  const std::vector<Worker> workers = PacesOf(picture);
  for (size_t i = 0; i < workers.size(); ++i) {
    if (picture.candidates[i].runs) job->SetPace(picture.candidates[i].device, workers[i]);
  }
}

}  // namespace wb
