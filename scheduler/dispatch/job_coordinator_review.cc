// JobCoordinator: looks at where jobs are, by what their launches showed, and moves them.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/job_coordinator.h"

namespace wb {
namespace {

constexpr uint32_t kMostJoins = 4;  // of one device, so that nothing goes to and fro for ever
// Seconds until an engine that was lost is there again, where all goes well.
constexpr double kRestart = 3;
constexpr double kFurthestLook = 1e6;  // seconds

// It has the job, and has not shown anything of it.
bool IsUnseen(const Candidate& candidate) {
  const std::chrono::duration<double> first = ActiveJob::kFirstLook;
  return candidate.runs && candidate.rates.fuel_per_s <= 0 && candidate.age < first.count();
}

}  // namespace

// Devices that may have the job together. The interpreter runs on the CPU device's processors:
// those two are never on a job at the same time.
std::vector<DeviceLoop*> JobCoordinator::SharersOf(const ActiveJob& job) const {
  const Placement wanted = job.plan.spec.placement;
  if (!job.avoids.empty()) return {};
  std::vector<DeviceLoop*> sharers;
  if (wanted == Placement::kAuto && devices_.cpu != nullptr) sharers.push_back(devices_.cpu);
  if (wanted == Placement::kAuto || wanted == Placement::kGpu) {
    sharers.insert(sharers.end(), devices_.gpus.begin(), devices_.gpus.end());
  }
  return sharers;
}

JobCoordinator::Stand* JobCoordinator::StandOf(const ActiveJobRef& job, DeviceLoop* device) {
  const auto course = courses_.find(job);
  return course == courses_.end() ? nullptr : &course->second[device];
}

// Which build it has there, or would get first.
KernelBuild JobCoordinator::BuildAt(const ActiveJobRef& job, const DeviceLoop& device,
                                    const Stand& stand) const {
  const auto meanwhile = meanwhile_.find(job);
  const bool is_its = meanwhile != meanwhile_.end() && meanwhile->second.device == &device;
  if (is_its && meanwhile->second.built) return meanwhile->second.built->pipeline.build;
  if (stand.built) return stand.built->pipeline.build;
  return stand.lowered ? builder_.FirstBuild(stand.lowered, device) : KernelBuild::kFull;
}

Candidate JobCoordinator::CandidateOf(const ActiveJobRef& job, const DeviceLoop& device,
                                      const Stand& stand) const {
  const DeviceInfo info = device.info();
  Candidate candidate;
  candidate.device = info.id;
  candidate.engine = info.engine;
  candidate.kind = KindOf(info);
  candidate.build = BuildAt(job, device, stand);
  candidate.lanes = FullWidth(info);
  candidate.rates = rates_.Find(job->plan.work, RateKind(candidate.kind, candidate.build),
                                job->plan.spec.instances, job->Left().waiting);
  candidate.runs = stand.runs;
  candidate.moves = info.moves_lanes;
  const bool compiles =
      stand.pipeline == Stand::Pipeline::kAbsent || stand.pipeline == Stand::Pipeline::kBuilding;
  if (compiles) candidate.ready_in = builder_.SecondsFor(stand.lowered, device);
  if (!device.Look().healthy) candidate.ready_in += kRestart;
  const ActiveJob::Seated seated = job->SeatedAt(info.id);
  candidate.seated = seated.count;
  candidate.age = seated.age;
  return candidate;
}

JobPicture JobCoordinator::PictureOf(const ActiveJobRef& job,
                                     const std::vector<DeviceLoop*>& devices) {
  JobPicture picture;
  const ActiveJob::Extent left = job->Left();
  picture.waiting = left.waiting;
  picture.fuel_per_instance = left.fuel_per_instance > 0 ? left.fuel_per_instance : LengthOf(*job);
  for (DeviceLoop* device : devices) {
    picture.candidates.push_back(CandidateOf(job, *device, *StandOf(job, device)));
    picture.running_for = std::max(picture.running_for, picture.candidates.back().age);
  }
  return picture;
}

// Devices that have the job or could get it.
std::vector<DeviceLoop*> JobCoordinator::CandidatesOf(const ActiveJobRef& job) {
  std::vector<DeviceLoop*> candidates;
  for (DeviceLoop* device : SharersOf(*job)) {
    const Stand& stand = *StandOf(job, device);
    const bool out = stand.pipeline == Stand::Pipeline::kFailed || stand.joins >= kMostJoins;
    if (stand.runs || (!out && device->IsOpen())) candidates.push_back(device);
  }
  return candidates;
}

void JobCoordinator::SetPaces(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices) {
  const JobPicture picture = PictureOf(job, devices);
  const std::vector<Worker> workers = PacesOf(picture);
  for (size_t i = 0; i < workers.size(); ++i) {
    if (picture.candidates[i].runs) job->SetPace(picture.candidates[i].device, workers[i]);
  }
}

// Launches end when all should have ended; then the coordinator looks again.
void JobCoordinator::SetNextLook(ActiveJob& job, const JobPicture& picture) {
  const double end = ExpectedEnd(picture);
  const bool is_first = std::isinf(end) ||
                        std::any_of(picture.candidates.begin(), picture.candidates.end(), IsUnseen);
  const std::chrono::duration<double> look(is_first ? 0 : std::min(end, kFurthestLook));
  job.next_look =
      std::max(std::chrono::duration_cast<std::chrono::nanoseconds>(look), ActiveJob::kFirstLook);
}

void JobCoordinator::Review(const ActiveJobRef& job) {
  const auto course = courses_.find(job);
  if (course == courses_.end() || job->cancelled.load()) return;
  if (begins_.count(job) > 0) return GoOnBeginning(job);
  if (meanwhile_.count(job) > 0) return ReviewMeanwhile(job);
  if (Holds(job) || LeavesQuick(job) || !MayShare(*job)) return;
  Spread(job);
  const std::vector<DeviceLoop*> devices = CandidatesOf(job);
  const JobPicture picture = PictureOf(job, devices);
  SetNextLook(*job, picture);
  const std::optional<Move> move = NextMove(picture);
  if (move && move->kind == Move::Kind::kJoin) {
    Come(job, devices[move->candidate], move->reason);
  } else if (move) {
    Explain(job, move->reason);
    devices[move->candidate]->Evict(job);
  }
  if (job->devices() < 2) return;
  SetPaces(job, devices);
  WakeAll();
}

// It is on the interpreter, and perhaps compiled by now.
void JobCoordinator::ReviewMeanwhile(const ActiveJobRef& job) {
  const Meanwhile& its = meanwhile_.at(job);
  SetNextLook(*job, PictureOf(job, {devices_.interpreter}));
  if (!its.built) return ConsiderBuild(job);
  const Change change = ChangeOf(job, its);
  if (change.goes) return devices_.interpreter->Evict(job);
  job->unsettled = true;
  devices_.interpreter->Explain(job, "It stays on the interpreter: " + change.reason);
}

// One step towards being on the device; the next review takes the next.
void JobCoordinator::Come(const ActiveJobRef& job, DeviceLoop* device, const std::string& reason) {
  const Stand& stand = *StandOf(job, device);
  switch (stand.pipeline) {
    case Stand::Pipeline::kUnknown: return Look(job, device);
    case Stand::Pipeline::kAbsent: return Build(job, device);
    case Stand::Pipeline::kReady:
      Explain(job, reason);
      return Board(job, BoardedWith(job, device), BuiltPipeline(*stand.built));
    case Stand::Pipeline::kLooking:
    case Stand::Pipeline::kBuilding:
    case Stand::Pipeline::kFailed: return;
  }
}

void JobCoordinator::Look(const ActiveJobRef& job, DeviceLoop* device) {
  StandOf(job, device)->pipeline = Stand::Pipeline::kLooking;
  const CompileOptions options = OptionsFor(job->plan.spec, device->info().options);
  lowering_.Get(job->plan.spec.module, options,
                [this, job, device](const Result<LoweredRef>& lowered) {
                  Stand* stand = StandOf(job, device);
                  if (stand == nullptr) return;
                  const bool fits = lowered.ok() && (*lowered)->refused.ok();
                  if (!fits) {
                    stand->pipeline = Stand::Pipeline::kFailed;
                    return GoOnBeginning(job);
                  }
                  stand->lowered = *lowered;
                  Find(job, device);
                });
}

void JobCoordinator::Find(const ActiveJobRef& job, DeviceLoop* device) {
  const auto found = [this, job, device](const Result<BuiltPipeline>& built) {
    Stand* stand = StandOf(job, device);
    if (stand == nullptr) return;
    if (built.ok()) return RecordReady(job, device, built);
    const bool absent = built.status().reason() == Reason::kNoDeviceFits;
    stand->pipeline = absent ? Stand::Pipeline::kAbsent : Stand::Pipeline::kFailed;
    Review(job);
  };
  builder_.Find(StandOf(job, device)->lowered, *device, found);
}

void JobCoordinator::Build(const ActiveJobRef& job, DeviceLoop* device) {
  Stand& stand = *StandOf(job, device);
  stand.pipeline = Stand::Pipeline::kBuilding;
  BuildWaiter waiter;
  waiter.done = [this, job, device](const Result<BuiltPipeline>& built) {
    BuildNext();
    RecordReady(job, device, built);
  };
  waiter.better = [this, job, device](const Result<BuiltPipeline>& better) {
    if (better.ok()) TakeBetter(job, device, *better);
  };
  waiter.share = ShareOf(*job);
  builder_.Get(stand.lowered, *device, std::move(waiter));
}

void JobCoordinator::RecordReady(const ActiveJobRef& job, DeviceLoop* device,
                                 const Result<BuiltPipeline>& built) {
  Stand* stand = StandOf(job, device);
  if (stand == nullptr) return;
  stand->pipeline = built.ok() ? Stand::Pipeline::kReady : Stand::Pipeline::kFailed;
  if (!built.ok()) return GoOnBeginning(job);
  stand->built = *built;
  RecordBuilt(job, built);
  Review(job);
}

void JobCoordinator::WakeAll() const {
  for (DeviceLoop* device : AllDevices()) device->Wake();
}

// Whether it is on other devices still.
bool JobCoordinator::LeaveFor(const Departure& departure) {
  Course& course = courses_[departure.job];
  course[DeviceNamed(departure.device)].runs = false;
  return std::any_of(course.begin(), course.end(), [](const auto& at) { return at.second.runs; });
}

void JobCoordinator::Leave(const Departure& departure) {
  if (!LeaveFor(departure)) return End(departure.job, {});
  WakeAll();  // they see that it has ended
}

// The others go on, with those who sat there.
void JobCoordinator::TakeBackShared(const Departure& departure, GivenBack why,
                                    const Status& status) {
  DeviceLoop* device = DeviceNamed(departure.device);
  displaced_.erase(departure.job);
  if (why != GivenBack::kEvicted && why != GivenBack::kClosed) {
    StandOf(departure.job, device)->pipeline = Stand::Pipeline::kFailed;
    Explain(departure.job,
            "The device " + Quoted(departure.device) + " could not keep it: " + status.message());
  }
  if (why == GivenBack::kKillsEngine || why == GivenBack::kBadPipeline) {
    builder_.Forget(departure.pipeline, status);
  }
  WakeAll();
  Review(departure.job);
}

}  // namespace wb
