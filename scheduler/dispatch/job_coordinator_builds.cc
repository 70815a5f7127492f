// JobCoordinator: jobs that are on the interpreter until they have a pipeline, and when compilers
// begin for them (placement/build_choice.h). What did not pay while its jobs ran is built when
// nothing else is, so that the module's next job finds it.

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/job_coordinator.h"

namespace wb {
namespace {

// Launches show how long a job takes; where none completes for so long the clock has to do.
constexpr std::chrono::milliseconds kPatience{50};
constexpr size_t kMostLater = 64;  // modules to be built when there is time

}  // namespace

bool JobCoordinator::MayStartMeanwhile(const ActiveJobRef& job) const {
  return start_on_interpreter_ && job->plan.spec.placement == Placement::kAuto &&
         IsOpen(Engine::kInterpreter);
}

// There is no pipeline yet. False: the job is not here any more.
bool JobCoordinator::StartMeanwhile(const ActiveJobRef& job, DeviceLoop* device,
                                    const LoweredRef& lowered) {
  if (!Holds(job)) return false;
  const Digest key = builder_.KeyOf(lowered, *device);
  if (!MayStartMeanwhile(job)) {
    builder_.Begin(key);
    return true;
  }
  if (builder_.IsPutOff(key)) PutOffFor(job, device, lowered, key);
  BuildWaiter waiter;
  waiter.share = ShareOf(*job);
  waiter.done = [this, job, device, lowered](const Result<BuiltPipeline>& built) {
    if (!Holds(job)) return;  // it ended
    if (!built.ok()) return BeginCompiler(job, built.status().message());
    if (job->cancelled.load()) return End(job, {});
    Explain(job, "It starts on the interpreter" +
                     (patient_.count(job) > 0 ? "; the compiler of the device " +
                                                    Quoted(device->id()) + " begins when that pays."
                                              : " while the compiler of the device " +
                                                    Quoted(device->id()) + " works."));
    meanwhile_.emplace(job, Meanwhile{device, courses_[job][device].built});
    Board(job, {devices_.interpreter}, *built);
  };
  builder_.Get(WithoutText(*lowered), *devices_.interpreter, std::move(waiter));
  return true;
}

void JobCoordinator::StartBeside(const ActiveJobRef& job, DeviceLoop* device,
                                 const BuiltPipeline& built, std::string reason) {
  courses_[job][device].built = built;
  BuildWaiter waiter;
  waiter.share = ShareOf(*job);
  waiter.done = [this, job, device,
                 reason = std::move(reason)](const Result<BuiltPipeline>& interpreted) {
    if (!Holds(job)) return;
    if (job->cancelled.load()) return End(job, {});
    const BuiltPipeline its = *StandOf(job, device)->built;  // a better one may have come
    if (!interpreted.ok()) return HandOver(job, device, its);
    Explain(job, reason);
    meanwhile_.emplace(job, Meanwhile{device, its});
    job->unsettled = true;
    Board(job, {devices_.interpreter}, *interpreted);
  };
  LoweredKernel lowered;
  lowered.module = built.pipeline.module;
  builder_.Get(WithoutText(lowered), *devices_.interpreter, std::move(waiter));
}

void JobCoordinator::OnBuiltMeanwhile(const ActiveJobRef& job, DeviceLoop* device,
                                      const Result<BuiltPipeline>& result) {
  Meanwhile& its = meanwhile_.at(job);
  if (its.device != device) return;  // another stands in for that by now
  if (result.ok()) {
    its.built = courses_[job][device].built = *result;
    if (!IsOpen(device->info().engine)) return;
    return ReviewMeanwhile(job);
  }
  meanwhile_.erase(job);
  devices_.interpreter->Explain(job, CannotRun(device, result.status()));
  if (devices_.cpu == nullptr || device == devices_.cpu) return;
  courses_[job][device].pipeline = Stand::Pipeline::kFailed;
  displaced_.insert(job);  // until the CPU device opens
}

// From now on its launches are looked at.
void JobCoordinator::PutOffFor(const ActiveJobRef& job, DeviceLoop* device,
                               const LoweredRef& lowered, const Digest& key) {
  PutOff& its = put_off_[key];
  if (const auto later = std::find(later_.begin(), later_.end(), key); later != later_.end()) {
    later_.erase(later);
  }
  its.lowered = lowered;
  its.device = device;
  const TimePoint now = time_.clock.Now();
  its.jobs.emplace(job, now);
  patient_[job] = key;
  job->unsettled = true;
  time_.wake_by(now + kPatience);
}

void JobCoordinator::ConsiderBuild(const ActiveJobRef& job) {
  const auto patient = patient_.find(job);
  if (patient == patient_.end() || meanwhile_.count(job) == 0) return;
  const PutOff& its = put_off_.at(patient->second);
  if (!builder_.IsPutOff(patient->second)) return NoLongerPatient(job);  // another began it
  if (!its.device->IsOpen()) return;
  BuildChoice choice = WhetherToBuild(PictureOfBuild(job, its, KernelBuild::kFull));
  if (!choice.begins && builder_.FirstBuild(its.lowered, *its.device) == KernelBuild::kQuick) {
    choice = WhetherToBuild(PictureOfBuild(job, its, KernelBuild::kQuick));
  }
  if (choice.begins) return BeginCompiler(job, choice.reason);
  const std::string words = "It starts on the interpreter; the compiler of the device " +
                            Quoted(its.device->id()) + " would not pay: " + choice.reason;
  job->Publish([&words](JobProgress& progress) { progress.placement_reason = words; });
}

// What the job would gain by that build, the one before it counted.
BuildPicture JobCoordinator::PictureOfBuild(const ActiveJobRef& job, const PutOff& its,
                                            KernelBuild build) {
  BuildPicture picture;
  picture.job = PictureOf(job, {devices_.interpreter, its.device});
  Candidate& compiled = picture.job.candidates[1];
  compiled.build = build;
  compiled.rates = rates_.Find(job->plan.work, RateKind(compiled.kind, build),
                               job->plan.spec.instances, picture.job.waiting);
  compiled.ready_in = build == KernelBuild::kQuick
                          ? builder_.SecondsFor(its.lowered, *its.device)
                          : builder_.SecondsForFull(its.lowered, *its.device);
  picture.jobs = std::max<uint64_t>(devices_.interpreter->Look().jobs, 1);
  picture.compilers = builder_.compilers();
  picture.spent = its.spent;
  picture.is_guess = !builder_.IsTimed(its.lowered, *its.device);
  return picture;
}

void JobCoordinator::BeginCompiler(const ActiveJobRef& job, const std::string& why) {
  const auto patient = patient_.find(job);
  if (patient == patient_.end()) return;
  const Digest key = patient->second;
  const PutOff its = std::move(put_off_.at(key));
  put_off_.erase(key);
  for (const auto& [each, since] : its.jobs) {
    patient_.erase(each);
    if (meanwhile_.count(each) == 0) continue;
    Explain(each, "It starts on the interpreter while the compiler of the device " +
                      Quoted(its.device->id()) + " works: " + why);
  }
  builder_.Begin(key);
}

void JobCoordinator::NoLongerPatient(const ActiveJobRef& job) {
  const auto patient = patient_.find(job);
  if (patient == patient_.end()) return;
  const auto its = put_off_.find(patient->second);
  const Digest key = patient->second;
  patient_.erase(patient);
  its->second.jobs.erase(job);
  if (!its->second.jobs.empty()) return;
  put_off_.erase(its);
  builder_.Abandon(key);
}

// The job ends without the compiler: what it took counts for the module's next one. Whoever cancels
// wants no pipeline either.
void JobCoordinator::LeavePutOff(const ActiveJobRef& job) {
  const auto patient = patient_.find(job);
  if (patient == patient_.end()) return;
  const Digest key = patient->second;
  if (job->cancelled.load() || !builder_.IsPutOff(key)) return NoLongerPatient(job);
  PutOff& its = put_off_.at(key);
  const auto stayed = time_.clock.Now() - its.jobs.at(job);
  its.spent += std::chrono::duration<double>(stayed).count();
  its.jobs.erase(job);
  patient_.erase(job);
  if (!its.jobs.empty()) return;
  builder_.Abandon(key);
  later_.push_back(key);
  if (later_.size() > kMostLater) {
    put_off_.erase(later_.front());
    later_.pop_front();
  }
}

// Nobody waits for it: it takes processors only while nobody else wants them for a pipeline, or
// instead of one.
void JobCoordinator::BuildNext() {
  if (later_.empty() || put_off_.size() > later_.size() || !builder_.IsIdle()) return;
  const PutOff its = std::move(put_off_.at(later_.front()));
  put_off_.erase(later_.front());
  later_.pop_front();
  BuildWaiter waiter;
  waiter.done = waiter.better = [this](const Result<BuiltPipeline>&) { BuildNext(); };
  builder_.Get(its.lowered, *its.device, std::move(waiter));
}

// By the clock: of jobs that launches tell nothing of.
void JobCoordinator::ReviewPutOff() {
  const TimePoint now = time_.clock.Now();
  std::vector<ActiveJobRef> due;
  for (const auto& [key, its] : put_off_) {
    if (its.jobs.empty()) continue;
    time_.wake_by(now + kPatience);
    const auto& [job, since] = *its.jobs.begin();
    if (now - since >= kPatience) due.push_back(job);
  }
  for (const ActiveJobRef& job : due) ConsiderBuild(job);
}

}  // namespace wb
