#include "scheduler/dispatch/interpreter_warmup.h"

#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/compile_request.h"

namespace wb {
namespace {

std::string WordsOfStart(const DeviceLoop& device, bool is_deferred) {
  const std::string compiler = "the compiler of the device " + Quoted(device.id());
  return "It starts on the interpreter" + (is_deferred ? "; " + compiler + " begins when that pays."
                                                       : " while " + compiler + " works.");
}

}  // namespace

void InterpreterWarmup::Start(const ActiveJobRef& job, DeviceLoop* device,
                              const BuiltPipeline& interpreted) {
  parts_.jobs.At(job).target = device;
  moves_.Join(job, {parts_.devices.interpreter()}, interpreted);
}

bool InterpreterWarmup::OnCompiling(const ActiveJobRef& job, DeviceLoop* device,
                                    const LoweredRef& lowered) {
  if (!parts_.jobs.IsHeld(job)) return false;
  const Digest key = parts_.builder.KeyOf(lowered, *device);
  if (!parts_.places.MayWarmUp(job)) {
    parts_.builder.Begin(key);
    return true;
  }
  if (parts_.builder.IsDeferred(key)) parts_.deferred.Defer(job, device, lowered);
  BuildWaiter waiter;
  waiter.share = ShareOf(*job);
  waiter.done = [this, job, device](const Result<BuiltPipeline>& interpreted) {
    if (!parts_.jobs.IsHeld(job)) return;
    if (!interpreted.ok()) return parts_.deferred.Begin(job, interpreted.status().message());
    if (job->cancelled.load()) return moves_.End(job, {});
    if (parts_.jobs.Advance(job, JobEvent::kInterpreterReady) != JobAction::kJoinInterpreter) {
      return;
    }
    ExplainPlacement(*job, WordsOfStart(*device, parts_.jobs.At(job).deferred_build.has_value()));
    Start(job, device, *interpreted);
  };
  parts_.builder.Get(WithoutText(*lowered), *parts_.devices.interpreter(), waiter);
  return true;
}

void InterpreterWarmup::StartBeside(const ActiveJobRef& job, DeviceLoop* device,
                                    const BuiltPipeline& built, std::string reason) {
  parts_.jobs.At(job).SetReady(device, built);
  BuildWaiter waiter;
  waiter.share = ShareOf(*job);
  waiter.done = [this, job, device,
                 reason = std::move(reason)](const Result<BuiltPipeline>& interpreted) {
    if (!parts_.jobs.IsHeld(job)) return;
    if (job->cancelled.load()) return moves_.End(job, {});
    const JobEvent event =
        interpreted.ok() ? JobEvent::kInterpreterReady : JobEvent::kInterpreterFails;
    switch (parts_.jobs.Advance(job, event)) {
      case JobAction::kHandOver:  // by now it may have a better one
        return moves_.HandOver(job, device,
                               BuiltPipeline(*parts_.jobs.PlacementOf(job, device)->built));
      case JobAction::kJoinInterpreter: break;
      default: return;
    }
    ExplainPlacement(*job, reason);
    job->unsettled = true;
    Start(job, device, *interpreted);
    if (parts_.quick.IsInterpreterQuicker(job)) Review(job);
  };
  LoweredKernel lowered;
  lowered.module = built.pipeline.module;
  parts_.builder.Get(WithoutText(lowered), *parts_.devices.interpreter(), waiter);
}

void InterpreterWarmup::OnBuilt(const ActiveJobRef& job, DeviceLoop* device,
                                const BuiltPipeline& built) {
  parts_.jobs.At(job).SetReady(device, built);
  if (parts_.devices.IsOpen(parts_.devices.ClassOf(device))) Review(job);
}

// It has no other pipeline to wait for, until the CPU device opens where a GPU only stood in.
void InterpreterWarmup::OnBuildFailed(const ActiveJobRef& job, DeviceLoop* device,
                                      const Status& status) {
  CoordinatedJob& record = parts_.jobs.At(job);
  record.target = nullptr;
  parts_.devices.interpreter()->Explain(job, CannotRun(device->id(), status));
  if (parts_.devices.cpu() == nullptr || device == parts_.devices.cpu()) return;
  record.placements[device].pipeline = PlacementState::Pipeline::kFailed;
  record.is_displaced = true;
}

void InterpreterWarmup::Review(const ActiveJobRef& job) {
  DeviceLoop* interpreter = parts_.devices.interpreter();
  JobPictures::SetNextReview(*job, parts_.pictures.PictureOf(job, {interpreter}));
  CoordinatedJob& record = parts_.jobs.At(job);
  if (record.TargetPipeline() == nullptr) return parts_.deferred.Consider(job);
  const Change change = parts_.quick.WhetherToLeave(job);
  if (change.goes) return parts_.jobs.AskBack(job, interpreter);
  job->unsettled = true;
  const bool is_for_cpu = record.target == parts_.devices.cpu();
  if (is_for_cpu && parts_.places.HasQuickBuild(job)) parts_.rebalance.Share(job);
  const bool is_alone = job->devices() < 2;
  if (is_alone) interpreter->Explain(job, "It stays on the interpreter: " + change.reason);
}

void InterpreterWarmup::OnGatesChanged(const ActiveJobRef& job) {
  CoordinatedJob& record = parts_.jobs.At(job);
  if (!parts_.places.IsMeantFor(job, record.target)) {
    return parts_.jobs.AskBack(job, parts_.devices.interpreter());
  }
  const bool is_ready = record.TargetPipeline() != nullptr &&
                        parts_.devices.IsOpen(parts_.devices.ClassOf(record.target));
  if (!job->cancelled.load() && (is_ready || job->unsettled || parts_.places.MayShare(*job))) {
    Review(job);
  }
}

}  // namespace wb
