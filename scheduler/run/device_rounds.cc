#include "scheduler/run/device_rounds.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr uint32_t kMaxStartFailures = 8;
constexpr uint32_t kMaxSetupLosses = 2;
constexpr size_t kMaxRememberedLosses = 1024;
// Launches are stopped for newcomers so often at most. Processors lose little by a stop; GPUs, with
// their many lanes to leave and to fill again, lose some milliseconds.
constexpr std::chrono::milliseconds kStopPeriod{20};
constexpr std::chrono::milliseconds kStopPeriodOfGpu{100};

}  // namespace

void DeviceRounds::Run() {
  if (!StartFirst()) return;
  while (TakeInbox()) {
    // One look at the clock for a whole round: what is not due by it is waited for.
    const TimePoint now = parts_.clock.Now();
    ApplyGate(now);
    const bool up = parts_.lifecycle.device() || StartDevice(now);
    const bool may_launch = up && MayWork(now) && cycle_.MayLaunch(now);
    if (DeviceJob* next = parts_.jobs.NextTurn(now, may_launch)) {
      TakeTurn(*next);
    } else if (!parts_.in_flight.empty()) {
      cycle_.CompleteOldest();
    } else {
      AwaitMore(now);
    }
  }
  cycle_.CompleteAll();
  parts_.EndBurst(BurstEnd::kStopped);
  while (!parts_.jobs.empty()) parts_.jobs.Drop(*parts_.jobs.all().back());
  parts_.pipelines.Clear();
  parts_.inputs.Clear();
  parts_.lifecycle.Drop();
}

bool DeviceRounds::StartFirst() {
  const Status status = parts_.lifecycle.Start();
  if (status.ok()) OnStarted();
  parts_.lifecycle.PublishFirstStart(status);
  return status.ok();
}

// False: not yet; the lifecycle says when to try again.
bool DeviceRounds::StartDevice(TimePoint now) {
  if (now < parts_.lifecycle.start_after()) return false;
  const Status started = parts_.lifecycle.Start();
  if (!started.ok()) {
    RecordFailedStart(started);
    return false;
  }
  start_failures_ = 0;
  OnStarted();
  parts_.lifecycle.RecordRestart();
  return true;
}

void DeviceRounds::OnStarted() {
  Device& device = *parts_.lifecycle.device();
  const DeviceInfo& info = device.info();
  parts_.memory.SetTotal(info.memory_bytes);
  parts_.inbox.SetStopPeriod(info.seats_per_lane > 1 ? kStopPeriodOfGpu : kStopPeriod);
  parts_.thermal.Start(device, parts_.clock.Now());
  parts_.jobs.PublishTaking(parts_.Takes());
}

void DeviceRounds::RecordFailedStart(const Status& why) {
  parts_.lifecycle.StartLater("it did not start: " + why.message());
  if (++start_failures_ % kMaxStartFailures == 1) {
    parts_.events.log(Severity::kWarning, why.ToString());
  }
  if (start_failures_ < kMaxStartFailures) return;
  const Status status(Reason::kDeviceLost, "The device " + Quoted(parts_.id) + " did not start " +
                                               Quoted(uint64_t{start_failures_}) +
                                               " times in a row: " + why.message());
  while (!parts_.jobs.empty()) {
    cycle_.GiveBack(*parts_.jobs.all().back(), GivenBack::kNoEngine, status);
  }
}

// False: the loop is closing.
bool DeviceRounds::TakeInbox() {
  std::optional<LoopInbox::Mail> mail = parts_.inbox.Take();
  if (!mail) return false;
  // Both are looked at after Take(): what comes later wakes the loop again.
  const bool lost = parts_.lifecycle.IsLost();
  const bool was_silent = parts_.lifecycle.IsSilent();
  if (parts_.gate.Look()) {
    parts_.jobs.SetClosed(!parts_.gate.gate().IsOpen());
    parts_.jobs.PublishTaking(parts_.Takes());
  }
  for (LoopInbox::Arrival& arrival : mail->arrivals) Add(std::move(arrival));
  for (const LoopInbox::Command& command : mail->commands) Apply(command);
  if (lost && parts_.lifecycle.device() && parts_.in_flight.empty()) {
    cycle_.LoseDevice(
        Status(Reason::kDeviceLost, was_silent ? "Its process did not answer and was ended."
                                               : "Its process ended while nothing ran."),
        nullptr);
  }
  return true;
}

void DeviceRounds::Add(LoopInbox::Arrival arrival) {
  const ActiveJobRef job = arrival.job;
  job->Publish([this](JobProgress& progress) {
    progress.phase = JobPhase::kRunning;
    if (progress.running == 0) {
      progress.waiting_for = "its turn on the device " + Quoted(parts_.id);
    }
  });
  auto here =
      std::make_unique<DeviceJob>(job, std::move(arrival.pipeline), parts_.id, parts_.settings,
                                  parts_.memory, parts_.inputs, parts_.helpers);
  here->state().closed = !parts_.gate.gate().IsOpen();
  parts_.jobs.Add(std::move(here), parts_.clock.Now());
  job->SetTaking(parts_.id, parts_.Takes());
  if (!parts_.Takes()) parts_.jobs.PublishCompleted(job);
}

void DeviceRounds::Apply(const LoopInbox::Command& command) {
  DeviceJob* job = parts_.jobs.Find(command.job);
  while (job != nullptr && command.StopsLaunches() && job->in_flight()) {
    cycle_.CompleteOldest();  // may end the job
    job = parts_.jobs.Find(command.job);
  }
  if (job == nullptr) return;
  switch (command.kind) {
    case LoopInbox::Command::Kind::kEvict: cycle_.GiveBack(*job, GivenBack::kEvicted, {}); break;
    case LoopInbox::Command::Kind::kSwapPipeline: SwapPipeline(*job, command.pipeline); break;
    case LoopInbox::Command::Kind::kExplain:
      job->job()->Publish(
          [&](JobProgress& progress) { progress.placement_reason = command.placement_reason; });
      break;
  }
}

// A best build is no reason to move lanes: where it cannot be adopted, or does not load, the job
// keeps what it has.
void DeviceRounds::SwapPipeline(DeviceJob& job, const PreparedPipeline& better) {
  const PreparedPipeline& before = job.state().prepared;
  if (before.key != better.key || before.is_best || before.effort() == better.effort()) return;
  if (cycle_.AdoptPipeline(job, better) || better.is_best) return;
  cycle_.ExportLanes(job);
  job.SwapPipeline(better);
}

// A job without seated instances leaves a closed device; at the deadline of a drain all jobs do.
void DeviceRounds::ApplyGate(TimePoint now) {
  const DeviceGate& gate = parts_.gate.gate();
  if (gate.IsOpen()) return;
  const bool all = gate.MustLeave(now);
  if (all) cycle_.CompleteAll();
  for (size_t i = parts_.jobs.all().size(); i-- > 0;) {
    DeviceJob& job = *parts_.jobs.all()[i];
    // The next turn of such a job is its last.
    if (job.state().IsEnded() || job.state().IsExpired(now)) continue;
    if (all || !job.HasSeated()) cycle_.GiveBack(job, GivenBack::kClosed, {});
  }
}

bool DeviceRounds::MayWork(TimePoint now) {
  const bool may =
      parts_.thermal.MayWork(*parts_.lifecycle.device(), now, parts_.in_flight.empty());
  if (const std::optional<std::string> rest = parts_.thermal.TakeNews()) {
    parts_.jobs.PublishWait("the device " + Quoted(parts_.id) + ", " + *rest);
  }
  const bool is_cut = !may && parts_.in_flight.empty();
  const bool is_hot = is_cut && parts_.thermal.rest().cause == RestCause::kHot;
  if (is_hot) parts_.EndBurst(BurstEnd::kHot);
  if (is_cut || parts_.bursts.IsFull()) parts_.EndBurst(BurstEnd::kFull);
  return may;
}

void DeviceRounds::AwaitMore(TimePoint now) {
  parts_.EndBurst(parts_.gate.gate().IsOpen() ? BurstEnd::kIdle : BurstEnd::kClosed);
  const bool up = parts_.lifecycle.device() != nullptr;
  TimePoint until = parts_.jobs.NextDeadline(now);
  const TimePoint start = parts_.lifecycle.start_after();
  if (start > now) until = std::min(until, start);
  const auto drain = parts_.gate.gate().deadline();
  if (drain && !parts_.jobs.empty()) until = std::min(until, *drain);
  until = std::min(until, parts_.thermal.NextLook(now, up));
  if (up) parts_.lifecycle.SetState(parts_.thermal.IsResting() ? "cooling" : "idle");
  parts_.inbox.AwaitMore(until);
}

void DeviceRounds::TakeTurn(DeviceJob& job) {
  const TimePoint now = parts_.clock.Now();
  DeviceJobState& state = job.state();
  state.job->limits.StartClock(now);
  state.StartSetup(now);
  const bool is_over = state.IsEnded() || state.IsExpired(now);
  if (is_over && job.in_flight()) return cycle_.CompleteOldest();
  if (state.IsEnded()) return cycle_.End(job);
  if (is_over) {
    job.Expire();
    return state.IsEnded() ? cycle_.End(job) : void();
  }
  if (job.NextIsSuspect() && !MakeAlone(job)) return;
  const bool has_pipeline = state.pipeline || LoadPipeline(job);
  if (has_pipeline) GatherFor(job);
  if (has_pipeline && !Launch(job, now) && !parts_.in_flight.empty()) cycle_.CompleteOldest();
}

// No launch is in flight then. False: the job is here no more, or the device is not.
bool DeviceRounds::MakeAlone(const DeviceJob& job) {
  cycle_.CompleteAll();
  return parts_.lifecycle.device() && parts_.jobs.Has(job);
}

bool DeviceRounds::LoadPipeline(DeviceJob& job) {
  const Status loaded = parts_.pipelines.Load(job, *parts_.lifecycle.device());
  if (loaded.ok()) return true;
  switch (loaded.reason()) {
    case Reason::kDeviceLost: SetupLost(job, loaded); break;
    case Reason::kMachineFault: Delay(job, loaded); break;
    default: cycle_.GiveBack(job, GivenBack::kBadPipeline, loaded);
  }
  return false;
}

// Jobs that have not had a turn yet and run the same pipeline may share the leader's launches.
void DeviceRounds::GatherFor(const DeviceJob& leader) {
  if (leader.batcher() == nullptr) return;
  const PreparedPipeline& prepared = leader.state().prepared;
  for (const auto& job : parts_.jobs.all()) {
    const DeviceJobState& state = job->state();
    const bool is_new = !state.pipeline && !state.IsEnded();
    if (is_new && state.prepared.key == prepared.key && state.prepared.build == prepared.build) {
      parts_.pipelines.Use(*job, leader.state().pipeline, parts_.lifecycle.device()->info());
    }
  }
}

// False: the job has no turn before what is in flight has completed, or memory is freed.
bool DeviceRounds::Launch(DeviceJob& job, TimePoint now) {
  job.job()->Record([](JobProgress& progress) { progress.waiting_for.clear(); });
  const auto turn = job.Next(*parts_.lifecycle.device(), now, cycle_.TimesForNext(now));
  if (!turn.ok()) {
    const Status& why = turn.status();
    switch (why.reason()) {
      case Reason::kNoDeviceFits: cycle_.GiveBack(job, GivenBack::kNoMemory, why); break;
      case Reason::kMachineFault: Delay(job, why); break;
      default: SetupLost(job, why);
    }
    return true;
  }
  if (turn->seats == nullptr && turn->batch == nullptr) {
    AwaitMemory(job);
    return false;
  }
  // What ran does not end engines by being loaded: earlier deaths had other causes.
  setup_losses_.erase(job.state().prepared.key);
  cycle_.Begin({&job, turn->seats, turn->batch, turn->limits});
  return true;
}

// Where it is memory that a job waits for: dispatches without instances give theirs back.
void DeviceRounds::AwaitMemory(DeviceJob& job) {
  if (!parts_.in_flight.empty() || !job.own().waits_for_memory()) return;
  job.job()->Record([this](JobProgress& progress) {
    progress.waiting_for = "memory on the device " + Quoted(parts_.id);
  });
  parts_.inbox.RecordLack(job.job(), job.own().MemoryWait());
  for (const auto& other : parts_.jobs.all()) other->DropIdleDispatches();
}

// The machine lacked something for the job: others go on, it tries again a little later. A job with
// a launch in flight stays in any case.
void DeviceRounds::Delay(DeviceJob& job, const Status& why) {
  const bool may_stay = job.delay().Failed(parts_.clock.Now()) || job.in_flight();
  if (!may_stay) return cycle_.GiveBack(job, GivenBack::kMachine, why);
  const WaitReason lack = WaitForMachine(parts_.id, why.message());
  job.job()->Publish([&lack](JobProgress& progress) { progress.waiting_for = lack.words; });
  parts_.inbox.RecordLack(job.job(), lack);
}

// An engine that died while it got a pipeline or memory ready, not while it ran it; or so it seems:
// if something ran, that is looked at first, and alone from then on.
void DeviceRounds::SetupLost(DeviceJob& job, const Status& why) {
  if (!parts_.in_flight.empty()) {
    return cycle_.LoseDevice(why, &parts_.in_flight.oldest().dispatch());
  }
  if (setup_losses_.size() >= kMaxRememberedLosses) setup_losses_.clear();
  const bool deadly = ++setup_losses_[job.state().prepared.key] >= kMaxSetupLosses;
  cycle_.LoseDevice(why, nullptr);
  if (!deadly) return;
  cycle_.GiveBack(job, GivenBack::kKillsEngine,
                  Status(Reason::kDeviceLost,
                         "The engine died " + Quoted(uint64_t{kMaxSetupLosses}) +
                             " times while it loaded this module's pipeline. " + why.message()));
}

}  // namespace wb
