// JobDesk: looks at where jobs are, by what their launches showed, and moves them.

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/job_desk.h"
#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr uint32_t kMostJoins = 4;        // of one device, so that nothing goes to and fro for ever
constexpr double kUsualBuildSeconds = 3;  // of a compiler that was never timed

}  // namespace

// The interpreter runs on the CPU device's processors: those two are never on a job together.
bool JobDesk::MayShare(const ActiveJob& job) const {
  return job.plan.spec.placement == Placement::kAuto && devices_.cpu != nullptr &&
         devices_.cuda != nullptr && job.avoids.empty();
}

JobDesk::Stand* JobDesk::StandOf(const ActiveJobRef& job, Engine engine) {
  const auto course = courses_.find(job);
  return course == courses_.end() ? nullptr : &course->second[engine];
}

Candidate JobDesk::CandidateOf(const ActiveJob& job, Engine engine, const Stand& stand) const {
  const DeviceInfo info = DeviceOf(engine)->info();
  Candidate candidate;
  candidate.device = info.id;
  candidate.engine = engine;
  candidate.lanes = info.threads;
  candidate.rates = rates_.Find(job.plan.spec.module->digest(), info.id);
  candidate.runs = stand.runs;
  const bool compiles =
      stand.pipeline == Stand::Pipeline::kAbsent || stand.pipeline == Stand::Pipeline::kBuilding;
  if (compiles) {
    const auto known = build_seconds_.find(engine);
    candidate.ready_in = known == build_seconds_.end() ? kUsualBuildSeconds : known->second;
  }
  const ActiveJob::Seated seated = job.SeatedAt(info.id);
  candidate.seated = seated.count;
  candidate.age = seated.age;
  return candidate;
}

JobPicture JobDesk::PictureOf(const ActiveJobRef& job, const std::vector<Engine>& engines) {
  JobPicture picture;
  const ActiveJob::Extent left = job->Left();
  picture.waiting = left.waiting;
  picture.fuel_per_instance = left.fuel_per_instance;
  for (const Engine engine : engines) {
    picture.candidates.push_back(CandidateOf(*job, engine, *StandOf(job, engine)));
    picture.running_for = std::max(picture.running_for, picture.candidates.back().age);
  }
  return picture;
}

void JobDesk::Review(const ActiveJobRef& job) {
  const auto course = courses_.find(job);
  if (course == courses_.end() || job->cancelled.load()) return;
  if (meanwhile_.count(job) > 0) return ReviewMeanwhile(job);
  if (Holds(job) || !MayShare(*job)) return;
  std::vector<Engine> engines;
  for (const Engine engine : {Engine::kCpu, Engine::kCuda}) {
    const Stand& stand = course->second[engine];
    const bool out = stand.pipeline == Stand::Pipeline::kFailed || stand.joins >= kMostJoins;
    if (stand.runs || (!out && IsOpen(engine))) engines.push_back(engine);
  }
  const JobPicture picture = PictureOf(job, engines);
  std::vector<Worker> workers = WorkersOf(picture);
  for (size_t i = 0; i < workers.size(); ++i) {
    if (!IsOpen(engines[i])) workers[i].lane_time = 0;  // who sits there goes on, nobody comes
    if (picture.candidates[i].runs) job->SetPace(picture.candidates[i].device, workers[i]);
  }
  const std::optional<Move> move = NextMove(picture);
  if (move && move->kind == Move::Kind::kJoin) {
    Come(job, engines[move->candidate], move->reason);
    if (!workers.empty())
      job->SetPace(picture.candidates[move->candidate].device, workers[move->candidate]);
  } else if (move) {
    Explain(job, move->reason);
    DeviceOf(engines[move->candidate])->Recall(job);
  }
  if (job->devices() > 1) WakeAll();
}

// It is on the interpreter, and compiled by now.
void JobDesk::ReviewMeanwhile(const ActiveJobRef& job) {
  if (!meanwhile_.at(job)) return;
  const Engine compiled = CompiledEngineFor(*job);
  const Change change = WhetherToChange(PictureOf(job, {Engine::kInterpreter, compiled}), 0, 1);
  if (change.goes) return devices_.interpreter->Recall(job);
  job->unsettled = true;
  devices_.interpreter->Explain(job, "It stays on the interpreter: " + change.reason);
}

// One step towards being on the device; the next review takes the next.
void JobDesk::Come(const ActiveJobRef& job, Engine engine, const std::string& reason) {
  const Stand& stand = *StandOf(job, engine);
  switch (stand.pipeline) {
    case Stand::Pipeline::kUnknown: return Look(job, engine);
    case Stand::Pipeline::kAbsent: return Build(job, engine);
    case Stand::Pipeline::kReady:
      Explain(job, reason);
      return Board(job, engine, BuiltPipeline(*stand.built));
    case Stand::Pipeline::kLooking:
    case Stand::Pipeline::kBuilding:
    case Stand::Pipeline::kFailed: return;
  }
}

void JobDesk::Look(const ActiveJobRef& job, Engine engine) {
  StandOf(job, engine)->pipeline = Stand::Pipeline::kLooking;
  const CompileOptions options = OptionsFor(job->plan.spec, DeviceOf(engine)->info().options);
  lowering_.Get(job->plan.spec.module, options,
                [this, job, engine](const Result<LoweredRef>& lowered) {
                  Stand* stand = StandOf(job, engine);
                  if (stand == nullptr) return;
                  const bool fits = lowered.ok() && (*lowered)->refused.ok();
                  if (!fits) return void(stand->pipeline = Stand::Pipeline::kFailed);
                  stand->lowered = *lowered;
                  Find(job, engine);
                });
}

void JobDesk::Find(const ActiveJobRef& job, Engine engine) {
  const auto found = [this, job, engine](const Result<BuiltPipeline>& built) {
    Stand* stand = StandOf(job, engine);
    if (stand == nullptr) return;
    if (built.ok()) return NoteReady(job, engine, built);
    const bool absent = built.status().reason() == Reason::kNoDeviceFits;
    stand->pipeline = absent ? Stand::Pipeline::kAbsent : Stand::Pipeline::kFailed;
    Review(job);
  };
  builder_.Find(StandOf(job, engine)->lowered, *DeviceOf(engine), found);
}

void JobDesk::Build(const ActiveJobRef& job, Engine engine) {
  Stand& stand = *StandOf(job, engine);
  stand.pipeline = Stand::Pipeline::kBuilding;
  BuildWaiter waiter;
  waiter.done = [this, job, engine](const Result<BuiltPipeline>& built) {
    if (built.ok() && !built->cached) {
      build_seconds_[engine] = std::chrono::duration<double>(built->time).count();
    }
    NoteReady(job, engine, built);
  };
  waiter.better = [this, job, engine](const Result<BuiltPipeline>& better) {
    Stand* of = StandOf(job, engine);
    if (of == nullptr || !better.ok()) return;
    of->built = *better;
    if (of->runs) DeviceOf(engine)->Renew(job, better->pipeline);
  };
  builder_.Get(stand.lowered, *DeviceOf(engine), std::move(waiter));
}

void JobDesk::NoteReady(const ActiveJobRef& job, Engine engine,
                        const Result<BuiltPipeline>& built) {
  Stand* stand = StandOf(job, engine);
  if (stand == nullptr) return;
  stand->pipeline = built.ok() ? Stand::Pipeline::kReady : Stand::Pipeline::kFailed;
  if (!built.ok()) return;
  stand->built = *built;
  job->Note([&](JobProgress& progress) { progress.usage.compile_time += built->time; });
  Review(job);
}

void JobDesk::WakeAll() const {
  for (DeviceLoop* device : {devices_.cpu, devices_.cuda, devices_.interpreter}) {
    if (device != nullptr) device->Wake();
  }
}

// Whether it is on other devices still.
bool JobDesk::LeaveFor(const Departure& departure) {
  Course& course = courses_[departure.job];
  course[EngineOf(departure.device)].runs = false;
  for (const auto& [engine, stand] : course) {
    if (stand.runs) return true;
  }
  return false;
}

void JobDesk::Leave(const Departure& departure) {
  if (!LeaveFor(departure)) return End(departure.job, {});
  WakeAll();  // they see that it has ended
}

// The others go on, with those who sat there.
void JobDesk::TakeBackShared(const Departure& departure, GivenBack why, const Status& status) {
  const Engine engine = EngineOf(departure.device);
  displaced_.erase(departure.job);
  if (why != GivenBack::kRecalled && why != GivenBack::kClosed) {
    StandOf(departure.job, engine)->pipeline = Stand::Pipeline::kFailed;
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
