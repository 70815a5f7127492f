#include "scheduler/dispatch/rebalance.h"

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/compile_request.h"

namespace wb {

using State = PlacementState::Pipeline;

void Rebalance::Review(const ActiveJobRef& job) {
  if (parts_.quick.LeaveIfSlower(job) || !parts_.places.MayShare(*job)) return;
  const GpuSpread::Extension extension = parts_.spread.ExtendToGpus(job);
  if (!extension.gpus.empty()) moves_.Join(job, extension.gpus, *extension.built);
  const std::vector<DeviceLoop*> devices = parts_.places.CandidatesOf(job);
  const JobPicture picture = parts_.pictures.PictureOf(job, devices);
  JobPictures::SetNextReview(*job, picture);
  const std::optional<Move> move = NextMove(picture);
  if (move && move->kind == Move::Kind::kJoin) {
    Join(job, devices[move->candidate], move->reason);
  } else if (move) {
    ExplainPlacement(*job, move->reason);
    devices[move->candidate]->Evict(job);
  }
  if (job->devices() < 2) return;
  parts_.pictures.SetPaces(job, devices);
  parts_.devices.WakeAll();
}

// One step towards that; the next review takes the next.
void Rebalance::Join(const ActiveJobRef& job, DeviceLoop* device, const std::string& reason) {
  const PlacementState& placement = *parts_.jobs.PlacementOf(job, device);
  switch (placement.pipeline) {
    case State::kUnknown: return ProbePipeline(job, device);
    case State::kAbsent: return BuildPipeline(job, device);
    case State::kReady:
      ExplainPlacement(*job, reason);
      return moves_.Join(job, parts_.spread.JoinedWith(job, device),
                         BuiltPipeline(*placement.built));
    case State::kLooking:
    case State::kBuilding:
    case State::kFailed: return;
  }
}

void Rebalance::ProbePipeline(const ActiveJobRef& job, DeviceLoop* device) {
  parts_.jobs.PlacementOf(job, device)->pipeline = State::kLooking;
  const CompileOptions options = OptionsFor(job->plan.spec, device->info().options);
  parts_.lowering.Get(job->plan.spec.module, options,
                      [this, job, device](const Result<LoweredRef>& lowered) {
                        PlacementState* placement = parts_.jobs.PlacementOf(job, device);
                        if (placement == nullptr) return;
                        if (!lowered.ok() || !(*lowered)->refused.ok()) {
                          placement->pipeline = State::kFailed;
                          return moves_.GoOnAfterProbe(job);
                        }
                        placement->lowered = *lowered;
                        FindPipeline(job, device);
                      });
}

void Rebalance::FindPipeline(const ActiveJobRef& job, DeviceLoop* device) {
  const auto found = [this, job, device](const Result<BuiltPipeline>& built) {
    PlacementState* placement = parts_.jobs.PlacementOf(job, device);
    if (placement == nullptr) return;
    if (built.ok()) return RecordReady(job, device, built);
    const bool is_absent = built.status().reason() == Reason::kNoDeviceFits;
    placement->pipeline = is_absent ? State::kAbsent : State::kFailed;
    moves_.Review(job);
  };
  const LoweredRef lowered = parts_.jobs.PlacementOf(job, device)->lowered;
  parts_.builder.Find(lowered, *device, found);
}

void Rebalance::BuildPipeline(const ActiveJobRef& job, DeviceLoop* device) {
  PlacementState& placement = *parts_.jobs.PlacementOf(job, device);
  placement.pipeline = State::kBuilding;
  BuildWaiter waiter;
  waiter.done = [this, job, device](const Result<BuiltPipeline>& built) {
    parts_.deferred.BuildInIdleTime();
    RecordReady(job, device, built);
  };
  waiter.better = [this, job, device](const Result<BuiltPipeline>& better) {
    if (better.ok()) moves_.TakeBetter(job, device, *better);
  };
  waiter.share = ShareOf(*job);
  parts_.builder.Get(placement.lowered, *device, waiter);
}

void Rebalance::RecordReady(const ActiveJobRef& job, DeviceLoop* device,
                            const Result<BuiltPipeline>& built) {
  PlacementState* placement = parts_.jobs.PlacementOf(job, device);
  if (placement == nullptr) return;
  placement->pipeline = built.ok() ? State::kReady : State::kFailed;
  if (!built.ok()) return moves_.GoOnAfterProbe(job);
  placement->built = *built;
  RecordBuilt(*job, built);
  moves_.Review(job);
}

void Rebalance::GoOnWithOthers(const Departure& departure, GivenBack why, const Status& status) {
  CoordinatedJob& record = parts_.jobs.At(departure.job);
  record.is_displaced = false;
  if (why != GivenBack::kEvicted && why != GivenBack::kClosed) {
    record.placements[parts_.devices.Named(departure.device)].pipeline = State::kFailed;
    ExplainPlacement(*departure.job, "The device " + Quoted(departure.device) +
                                         " could not keep it: " + status.message());
  }
  if (why == GivenBack::kKillsEngine || why == GivenBack::kBadPipeline) {
    parts_.builder.Forget(departure.pipeline, status);
  }
  parts_.devices.WakeAll();
  moves_.Review(departure.job);
}

}  // namespace wb
