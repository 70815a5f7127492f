#include "scheduler/dispatch/deferred_builds.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Launches show how long a job takes; where none completes for so long the clock has to do.
constexpr std::chrono::milliseconds kReviewPeriod{50};
constexpr size_t kMostIdle = 64;  // modules to be built in idle time

}  // namespace

void DeferredBuilds::Defer(const ActiveJobRef& job, DeviceLoop* device, const LoweredRef& lowered) {
  const Digest key = builder_.KeyOf(lowered, *device);
  CoordinatedJob& record = jobs_.At(job);
  if (record.deferred_build && *record.deferred_build != key) Stop(job);
  record.deferred_build = key;
  DeferredBuild& deferred = builds_[key];
  if (const auto idle = std::find(idle_.begin(), idle_.end(), key); idle != idle_.end()) {
    idle_.erase(idle);
  }
  deferred.lowered = lowered;
  deferred.device = device;
  const TimePoint now = time_.clock.Now();
  deferred.jobs.emplace(job, now);
  job->unsettled = true;
  time_.wake_by(now + kReviewPeriod);
}

void DeferredBuilds::Consider(const ActiveJobRef& job) {
  const CoordinatedJob* record = jobs_.Find(job);
  if (record == nullptr || !record->deferred_build) return;
  if (record->stage != JobStage::kOnInterpreter) return;
  if (!builder_.IsDeferred(*record->deferred_build)) return Stop(job);  // another job began it
  const DeferredBuild& deferred = builds_.at(*record->deferred_build);
  if (!deferred.device->IsOpen()) return;
  BuildChoice choice = WhetherToBuild(PictureOf(job, deferred, KernelBuild::kFull));
  if (!choice.begins &&
      builder_.estimates().FirstBuild(deferred.lowered, *deferred.device) == KernelBuild::kQuick) {
    choice = WhetherToBuild(PictureOf(job, deferred, KernelBuild::kQuick));
  }
  if (choice.begins) return Begin(job, choice.reason);
  const std::string words = "It starts on the interpreter; the compiler of the device " +
                            Quoted(deferred.device->id()) + " would not pay: " + choice.reason;
  job->Publish([&words](JobProgress& progress) { progress.placement_reason = words; });
}

// What the job would gain by that build, the quick one before a full one counted.
BuildPicture DeferredBuilds::PictureOf(const ActiveJobRef& job, const DeferredBuild& deferred,
                                       KernelBuild build) {
  BuildPicture picture;
  picture.job = pictures_.PictureOf(job, {devices_.interpreter(), deferred.device});
  Candidate& compiled = picture.job.candidates[1];
  compiled.build = build;
  compiled.rates = pictures_.RatesOf(*job, compiled, picture.job.waiting);
  compiled.ready_in = build == KernelBuild::kQuick
                          ? builder_.estimates().SecondsFor(deferred.lowered, *deferred.device)
                          : builder_.estimates().SecondsForFull(deferred.lowered, *deferred.device);
  picture.jobs = std::max<uint64_t>(devices_.interpreter()->Look().jobs, 1);
  picture.compilers = builder_.compilers();
  picture.spent = deferred.spent;
  picture.is_guess = !builder_.estimates().IsTimed(deferred.lowered, *deferred.device);
  return picture;
}

void DeferredBuilds::Begin(const ActiveJobRef& job, const std::string& why) {
  const CoordinatedJob* record = jobs_.Find(job);
  if (record == nullptr || !record->deferred_build) return;
  const Digest key = *record->deferred_build;
  const DeferredBuild deferred = std::move(builds_.at(key));
  builds_.erase(key);
  for (const auto& [each, since] : deferred.jobs) {
    CoordinatedJob& waiting = jobs_.At(each);
    waiting.deferred_build.reset();
    if (waiting.stage != JobStage::kOnInterpreter) continue;
    ExplainPlacement(*each, "It starts on the interpreter while the compiler of the device " +
                                Quoted(deferred.device->id()) + " works: " + why);
  }
  builder_.Begin(key);
}

void DeferredBuilds::Stop(const ActiveJobRef& job) {
  CoordinatedJob* record = jobs_.Find(job);
  if (record == nullptr || !record->deferred_build) return;
  const Digest key = *std::exchange(record->deferred_build, std::nullopt);
  DeferredBuild& deferred = builds_.at(key);
  deferred.jobs.erase(job);
  if (!deferred.jobs.empty()) return;
  builds_.erase(key);
  builder_.Abandon(key);
}

// A job that is cancelled says nothing of what the module's jobs need.
void DeferredBuilds::JobEnds(const ActiveJobRef& job) {
  CoordinatedJob* record = jobs_.Find(job);
  if (record == nullptr || !record->deferred_build) return;
  const Digest key = *record->deferred_build;
  if (job->cancelled.load() || !builder_.IsDeferred(key)) return Stop(job);
  DeferredBuild& deferred = builds_.at(key);
  const auto stayed = time_.clock.Now() - deferred.jobs.at(job);
  deferred.spent += std::chrono::duration<double>(stayed).count();
  deferred.jobs.erase(job);
  record->deferred_build.reset();
  if (!deferred.jobs.empty()) return;
  builder_.Abandon(key);
  idle_.push_back(key);
  if (idle_.size() > kMostIdle) {
    builds_.erase(idle_.front());
    idle_.pop_front();
  }
}

void DeferredBuilds::BuildInIdleTime() {
  if (idle_.empty() || builds_.size() > idle_.size() || !builder_.IsIdle()) return;
  const DeferredBuild deferred = std::move(builds_.at(idle_.front()));
  builds_.erase(idle_.front());
  idle_.pop_front();
  BuildWaiter waiter;
  waiter.done = waiter.better = [this](const Result<BuiltPipeline>&) { BuildInIdleTime(); };
  builder_.Get(deferred.lowered, *deferred.device, waiter);
}

// For jobs of which no launch has ended.
void DeferredBuilds::ReviewByClock() {
  const TimePoint now = time_.clock.Now();
  std::vector<ActiveJobRef> due;
  for (const auto& [key, deferred] : builds_) {
    if (deferred.jobs.empty()) continue;
    time_.wake_by(now + kReviewPeriod);
    const auto& [job, since] = *deferred.jobs.begin();
    if (now - since >= kReviewPeriod) due.push_back(job);
  }
  for (const ActiveJobRef& job : due) Consider(job);
}

}  // namespace wb
