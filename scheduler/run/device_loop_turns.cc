// DeviceLoop: a job's turn on the device, and its way out.

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/placement/decision.h"
#include "scheduler/run/device_loop.h"

namespace wb {
namespace {

constexpr uint32_t kMaxSetupLosses = 2;
constexpr size_t kMaxRememberedLosses = 1024;

}  // namespace

Departure DeviceLoop::Release(DeviceJob& resident) {
  Departure departure{resident.job(), id_, resident.state().prepared.key};
  queue_.Remove(&resident);
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const Resident& candidate) {
    return candidate.get() == &resident;
  });
  jobs_.erase(found);
  {
    MutexLock lock(mutex_);
    const auto present =
        std::find_if(present_.begin(), present_.end(),
                     [&](const Present& candidate) { return candidate.job == departure.job; });
    present_.erase(present);
  }
  departure.job->Leave(id_);
  return departure;
}

void DeviceLoop::End(DeviceJob& resident) { events_.ended(Release(resident)); }

void DeviceLoop::GiveBack(DeviceJob& resident, GivenBack why, const Status& status) {
  ExportLanes(resident);
  events_.given_back(Release(resident), why, status);
}

// Before it leaves, or gets another pipeline: whoever sits there takes his state along.
void DeviceLoop::ExportLanes(DeviceJob& resident) {
  if (!device_ || !resident.HasSeated()) return;
  const Result<uint64_t> fuel =
      resident.ExportLanes(*device_, {RateBeyond(Here(resident)), moving_, images_, clock_});
  if (fuel.ok()) {
    RecordExported(*fuel);
  } else if (fuel.status().reason() == Reason::kDeviceLost) {
    LoseDevice(fuel.status(), nullptr);
  }
}

Candidate DeviceLoop::Here(const DeviceJob& resident) const {
  const DeviceInfo& info = device_->info();
  Candidate here;
  here.engine = info.engine;
  here.lanes = FullWidth(info);
  const JobPlan& plan = resident.job()->plan;
  here.build = resident.state().prepared.build;
  here.rates = rates_.Find(plan.work, RateKindOf(resident), plan.spec.instances, 1);
  return here;
}

std::string DeviceLoop::RateKindOf(const DeviceJob& resident) const {
  return RateKind(KindOf(device_->info()), resident.state().prepared.build);
}

// What was run here of those who go on elsewhere.
void DeviceLoop::RecordExported(uint64_t fuel) {
  MutexLock lock(mutex_);
  status_.fuel += fuel;
}

// Who has ended, or has no time left, goes at once; else it is a matter of shares.
DeviceJob* DeviceLoop::NextTurn(TimePoint now, bool may_launch) {
  for (const Resident& resident : jobs_) {
    const bool is_over = resident->state().IsEnded() || resident->state().IsExpired(now);
    if (is_over && resident->CanGo(now)) return resident.get();
  }
  if (!may_launch) return nullptr;
  const auto can_go = [&](DeviceJob* resident) {
    if (resident->CanGo(now)) return true;
    resident->state().StartClockIfHeldUp(now);
    return false;
  };
  return queue_.Next(now, can_go).value_or(nullptr);
}

void DeviceLoop::TurnOf(DeviceJob& resident) {
  const TimePoint now = clock_.Now();
  resident.job()->StartClock(now);
  resident.state().StartSetup(now);
  const bool is_over = resident.state().IsEnded() || resident.state().IsExpired(now);
  if (is_over && resident.in_flight()) return CompleteOldest();
  if (resident.state().IsEnded()) return End(resident);
  if (is_over) {
    resident.Expire();
    return resident.state().IsEnded() ? End(resident) : void();
  }
  if (resident.NextIsSuspect() && !CompleteAllFor(resident)) return;
  const bool has_pipeline = resident.state().pipeline || LoadPipeline(resident);
  if (has_pipeline) GatherBatcher(resident);
  if (has_pipeline && !Launch(resident, now) && !in_flight_.empty()) CompleteOldest();
}

// An engine that died while it got a pipeline or memory ready, not while it ran it; or so it seems:
// if something ran, that is looked at first, and alone from then on.
void DeviceLoop::SetupLost(DeviceJob& resident, const Status& why) {
  if (!in_flight_.empty()) return LoseDevice(why, &in_flight_.front().dispatch());
  if (setup_losses_.size() >= kMaxRememberedLosses) setup_losses_.clear();
  const bool deadly = ++setup_losses_[resident.state().prepared.key] >= kMaxSetupLosses;
  LoseDevice(why, nullptr);
  if (!deadly) return;
  GiveBack(resident, GivenBack::kKillsEngine,
           Status(Reason::kDeviceLost, "The engine died " + Quoted(uint64_t{kMaxSetupLosses}) +
                                           " times while it loaded this module's pipeline. " +
                                           why.message()));
}

bool DeviceLoop::LoadPipeline(DeviceJob& resident) {
  const PreparedPipeline& prepared = resident.state().prepared;
  const std::pair<Digest, bool> key(prepared.key, prepared.IsQuick());
  if (const PipelineRef* loaded = pipelines_.Find(key)) {
    UsePipeline(resident, *loaded);
    return true;
  }
  Result<PipelineRef> loaded = device_->Load(prepared.module, *prepared.binary);
  if (loaded.ok()) {
    pipelines_.Put(key, *loaded, 1);
    UsePipeline(resident, std::move(loaded).value());
    return true;
  }
  switch (loaded.status().reason()) {
    case Reason::kDeviceLost: SetupLost(resident, loaded.status()); break;
    case Reason::kMachineFault: Delay(resident, loaded.status()); break;
    default: GiveBack(resident, GivenBack::kBadPipeline, loaded.status());
  }
  return false;
}

// The machine lacked something for it: the others go on, it tries again a little later. One that
// has a launch in the air stays in any case.
void DeviceLoop::Delay(DeviceJob& resident, const Status& why) {
  const bool may_stay = resident.delay().Failed(clock_.Now()) || resident.in_flight();
  if (!may_stay) return GiveBack(resident, GivenBack::kMachine, why);
  const WaitReason lack = WaitForMachine(id_, why.message());
  resident.job()->Publish([&lack](JobProgress& progress) { progress.waiting_for = lack.words; });
  RecordLack(resident, lack);
}

// What is known of how long its launches take outlives the jobs.
std::shared_ptr<SliceController> DeviceLoop::ControllerOf(const Digest& pipeline) {
  if (const auto* known = controllers_.Find(pipeline)) return *known;
  BurstShape shape;
  shape.burst = shape.longest_slice = settings_.burst_max_duration;
  auto controller = std::make_shared<SliceController>(shape);
  controllers_.Put(pipeline, controller, 1);
  return controller;
}

// False: the job has no turn before what is in the air has completed, or memory is freed.
bool DeviceLoop::Launch(DeviceJob& resident, TimePoint now) {
  const ActiveJobRef job = resident.job();
  job->Record([](JobProgress& progress) { progress.waiting_for.clear(); });
  const std::chrono::nanoseconds left = std::min(TimeLeft(now), TimeForNewcomers(now));
  const auto turn = resident.Next(*device_, now, {TimeInTheAir(), left});
  if (!turn.ok()) {
    switch (turn.status().reason()) {
      case Reason::kNoDeviceFits: GiveBack(resident, GivenBack::kNoMemory, turn.status()); break;
      case Reason::kMachineFault: Delay(resident, turn.status()); break;
      default: SetupLost(resident, turn.status());
    }
    return true;
  }
  if (turn->seats == nullptr && turn->batch == nullptr) {
    if (!in_flight_.empty() || !resident.own().waits_for_memory()) return false;
    job->Record([this](JobProgress& progress) {
      progress.waiting_for = "memory on the device " + Quoted(id_);
    });
    RecordLack(resident, resident.own().MemoryWait());
    for (const Resident& other : jobs_) other->DropIdleDispatches();
    return false;
  }
  in_flight_.push_back({&resident, turn->seats, turn->batch, turn->limits});
  Begin(in_flight_.back());
  return true;
}

}  // namespace wb
