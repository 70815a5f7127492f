#include "scheduler/dispatch/rebalance.h"

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/compile_request.h"

namespace wb {

using State = PlacementState::Pipeline;

void Rebalance::Review(const ActiveJobRef& job) {
  if (parts_.quick.IsOnSlowerBuild(job)) {
    const State interpreted = parts_.jobs.PlacementOf(job, parts_.devices.interpreter())->pipeline;
    const bool is_alone = job->devices() < 2;  // given back, it is prepared for the interpreter
    const bool may_leave = is_alone || interpreted == State::kReady;
    if (may_leave) return parts_.jobs.AskBack(job, parts_.devices.cpu());
    if (interpreted == State::kUnknown) GetInterpreted(job);
  }
  Share(job);
}

void Rebalance::Share(const ActiveJobRef& job) {
  if (!parts_.places.MayShare(*job)) return;
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
    DeviceLoop* left = devices[move->candidate];
    if (left == parts_.devices.interpreter()) parts_.jobs.At(job).target = nullptr;
    parts_.jobs.AskBack(job, left);
  }
  if (job->devices() < 2) return;
  parts_.pictures.SetPaces(job, devices);
  parts_.devices.WakeAll();
}

// One step towards that; the next review takes the next.
void Rebalance::Join(const ActiveJobRef& job, DeviceLoop* device, const std::string& reason) {
  CoordinatedJob& record = parts_.jobs.At(job);
  const PlacementState& placement = record.placements[device];
  const bool is_interpreter = device == parts_.devices.interpreter();
  switch (placement.pipeline) {
    case State::kUnknown: return is_interpreter ? GetInterpreted(job) : ProbePipeline(job, device);
    case State::kAbsent: return BuildPipeline(job, device);
    case State::kReady: break;
    case State::kLooking:
    case State::kBuilding:
    case State::kFailed: return;
  }
  const std::vector<DeviceLoop*> devices = parts_.spread.JoinedWith(job, device);
  if (devices.empty()) return;  // it was closed this very moment
  ExplainPlacement(*job, reason);
  if (is_interpreter) {
    parts_.jobs.Advance(job, JobEvent::kInterpreterJoins);
    record.target = parts_.devices.cpu();
  }
  moves_.Join(job, devices, BuiltPipeline(*placement.built));
}

// The interpreter is to take the place of the CPU device, which has a quick build of the module.
void Rebalance::GetInterpreted(const ActiveJobRef& job) {
  DeviceLoop* interpreter = parts_.devices.interpreter();
  parts_.jobs.PlacementOf(job, interpreter)->pipeline = State::kBuilding;
  LoweredKernel lowered;
  lowered.module = parts_.jobs.PlacementOf(job, parts_.devices.cpu())->built->pipeline.module;
  BuildWaiter waiter;
  waiter.share = ShareOf(*job);
  waiter.done = [this, job, interpreter](const Result<BuiltPipeline>& interpreted) {
    RecordReady(job, interpreter, interpreted);
  };
  parts_.builder.Get(WithoutText(lowered), *interpreter, waiter);
}

void Rebalance::ProbePipeline(const ActiveJobRef& job, DeviceLoop* device) {
  parts_.jobs.PlacementOf(job, device)->pipeline = State::kLooking;
  const CompileOptions options = OptionsFor(job->plan.spec, device->info().options);
  parts_.lowering.Get(LoweringOf(job->plan, options),
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
  waiter.better = [this, weak = std::weak_ptr(job), device](const Result<BuiltPipeline>& better) {
    const ActiveJobRef waiting = weak.lock();
    if (waiting != nullptr && better.ok()) moves_.TakeBetter(waiting, device, *better);
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
  DeviceLoop* left = parts_.devices.Named(departure.device);
  if (left == parts_.devices.interpreter()) TakePlaceOfInterpreter(departure.job);
  if (left == parts_.devices.cpu() && why == GivenBack::kEvicted) TakePlaceOfCpu(departure.job);
  parts_.devices.WakeAll();
  moves_.Review(departure.job);
}

// It was asked for the job since the interpreter is quicker, or since its last instances end sooner
// elsewhere.
void Rebalance::TakePlaceOfCpu(const ActiveJobRef& job) {
  DeviceLoop* interpreter = parts_.devices.interpreter();
  if (!parts_.quick.IsInterpreterQuicker(job)) return;
  Join(job, interpreter, "The interpreter has taken the place of the slower quick build.");
}

// At once: where no instance has ended nothing shows yet that the device is worth joining.
void Rebalance::TakePlaceOfInterpreter(const ActiveJobRef& job) {
  CoordinatedJob& record = parts_.jobs.At(job);
  const BuiltPipeline* ready = record.TargetPipeline();
  DeviceLoop* target = std::exchange(record.target, nullptr);
  if (ready == nullptr || !target->IsOpen()) return;
  ExplainPlacement(
      *job, "The device " + Quoted(target->id()) + " has taken the place of the interpreter.");
  moves_.Join(job, {target}, BuiltPipeline(*ready));
}

}  // namespace wb
