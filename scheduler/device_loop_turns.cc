// DeviceLoop: a job's turn on the device, and its way out.

#include <algorithm>
#include <utility>

#include "scheduler/device_loop.h"
#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr uint32_t kMaxSetupLosses = 2;
constexpr size_t kMaxRememberedLosses = 1024;

}  // namespace

void DeviceLoop::Release(ResidentJob& resident) {
  rotation_.Remove(&resident);
  const auto found =
      std::find_if(residents_.begin(), residents_.end(),
                   [&](const Resident& candidate) { return candidate.get() == &resident; });
  residents_.erase(found);
}

void DeviceLoop::End(ResidentJob& resident) {
  const ActiveJobRef job = resident.job();
  Release(resident);
  job->progress.running = 0;
  events_.ended(job);
}

void DeviceLoop::GiveBack(ResidentJob& resident, GivenBack why, const Status& status) {
  const ActiveJobRef job = resident.job();
  Release(resident);
  events_.given_back(job, why, status);
}

void DeviceLoop::TurnOf(ResidentJob& resident) {
  const TimePoint now = clock_.Now();
  const ActiveJobRef job = resident.job();
  if (!job->deadline && job->plan.spec.limits.max_time) {
    job->deadline = now + *job->plan.spec.limits.max_time;
  }
  if (resident.IsEnded()) return End(resident);
  if (resident.IsExpired(now)) {
    resident.Expire();
    return resident.IsEnded() ? End(resident) : void();
  }
  if (resident.pipeline() || LoadPipeline(resident)) RunBurst(resident, now);
}

// An engine that died while it got a pipeline or memory ready, not while it ran it.
void DeviceLoop::SetupLost(ResidentJob& resident, const Status& why) {
  if (setup_losses_.size() >= kMaxRememberedLosses) setup_losses_.clear();
  const bool deadly = ++setup_losses_[resident.job()->pipeline.key] >= kMaxSetupLosses;
  LoseDevice(why);
  if (!deadly) return;
  GiveBack(resident, GivenBack::kKillsEngine,
           Status(Reason::kDeviceLost, "The engine died " + Quoted(uint64_t{kMaxSetupLosses}) +
                                           " times while it loaded this module's pipeline."));
}

bool DeviceLoop::LoadPipeline(ResidentJob& resident) {
  const PreparedPipeline& prepared = resident.job()->pipeline;
  const std::pair<Digest, bool> key(prepared.key, prepared.quick);
  if (const PipelineRef* loaded = pipelines_.Find(key)) {
    resident.set_pipeline(*loaded);
    return true;
  }
  Result<PipelineRef> loaded = device_->Load(prepared.module, *prepared.binary);
  if (loaded.ok()) {
    pipelines_.Put(key, *loaded, 1);
    resident.set_pipeline(std::move(loaded).value());
    return true;
  }
  if (loaded.status().reason() == Reason::kDeviceLost) {
    SetupLost(resident, loaded.status());
  } else {
    GiveBack(resident, GivenBack::kBadPipeline, loaded.status());
  }
  return false;
}

void DeviceLoop::RunBurst(ResidentJob& resident, TimePoint now) {
  bool launched = false;
  const ActiveJobRef job = resident.job();
  job->progress.waiting_for.clear();
  const auto burst = resident.Go(*device_, now, [&](bool starts) {
    launched = true;
    SetLaunching(starts ? job.get() : nullptr);
  });
  if (!burst.ok()) {
    if (burst.status().reason() == Reason::kNoDeviceFits && !launched) {
      return GiveBack(resident, GivenBack::kNoMemory, burst.status());
    }
    if (!launched) return SetupLost(resident, burst.status());
    LoseDevice(burst.status());
    return resident.IsEnded() ? End(resident) : job->Tell();
  }
  if (!burst->launched) {
    job->progress.waiting_for = "memory on the device " + Quoted(id_);
    for (const Resident& other : residents_) other->DropIdleDispatches();
    return;
  }
  backoff_.Reset();
  rest_until_ = clock_.Now() + settings_.cooldown;
  {
    MutexLock lock(mutex_);
    ++status_.bursts;
    status_.instances += burst->instances;
    status_.fuel += burst->fuel;
    status_.busy += burst->busy;
  }
  job->Tell();
  if (resident.IsEnded()) End(resident);
}

}  // namespace wb
