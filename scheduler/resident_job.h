#pragma once

// ResidentJob: a job on one device: its pipeline there, its dispatches, and the next burst of it.
// Only on the device's own thread.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "scheduler/active_job.h"
#include "scheduler/devices/device.h"
#include "scheduler/memory_budget.h"
#include "scheduler/pace.h"
#include "scheduler/quantum.h"
#include "scheduler/scheduler.h"
#include "scheduler/seated_dispatch.h"

namespace wb {

class ResidentJob {
 public:
  ResidentJob(ActiveJobRef job, const DeviceSettings& settings, MemoryBudget& memory)
      : job_(std::move(job)),
        settings_(settings),
        memory_(memory),
        pace_(settings.burst_max_duration) {}
  ~ResidentJob();
  ResidentJob(const ResidentJob&) = delete;
  ResidentJob& operator=(const ResidentJob&) = delete;

  const ActiveJobRef& job() const { return job_; }
  const PipelineRef& pipeline() const { return pipeline_; }
  void set_pipeline(PipelineRef pipeline) { pipeline_ = std::move(pipeline); }

  // A better pipeline of the same module, for everybody: who is seated starts again.
  void Renew(PreparedPipeline pipeline);

  bool IsExpired(TimePoint now) const { return job_->deadline && *job_->deadline <= now; }
  bool IsEnded() const { return job_->cancelled.load() || job_->AllFinished(); }
  // There is something to do for it now: launch, end, or say that its time is over.
  bool CanGo(TimePoint now) const;

  // What one turn on the device came to.
  struct Burst {
    bool launched = false;
    std::chrono::nanoseconds busy{};
    uint64_t instances = 0;  // ended
    uint64_t fuel = 0;       // theirs
  };
  // `launching` is called right before and after the launch, so that a cancel can stop it.
  // DEVICE_LOST: the device is dead; LoseDevice comes next. NO_DEVICE_FITS: not even one lane fits
  // although the job is alone. When memory is short for now, nothing is launched and CanGo() waits
  // for some to be freed.
  Result<Burst> Go(Device& device, TimePoint now, const std::function<void(bool)>& launching);

  // Results END_DEADLINE for whoever is left, as many as the sink has room for.
  void Expire();

  // The device died: everybody seated starts again; those of the launch under way have one attempt
  // less, and end END_FAILED when they have none left.
  void LoseDevice();

  // Gives back dispatches in which nobody sits; true if there was one.
  bool DropIdleDispatches();
  void DropDispatches();  // all of them; those seated go back to the backlog

 private:
  using Dispatches = std::map<SeatClass, SeatedDispatch>;

  uint64_t Room() const;  // instances that may be seated now, beside those that are
  std::optional<SeatClass> NextClass();
  bool HasWork(SeatClass seat_class, uint64_t room) const;
  Result<SeatedDispatch*> DispatchFor(Device& device, SeatClass seat_class);
  Result<SeatedDispatch*> Allocate(Device& device, SeatClass seat_class);
  void Fill(SeatedDispatch& seats, SeatClass seat_class);
  Status Take(SeatedDispatch& seats, const DeviceInfo& info, Burst& burst);
  void Drop(Dispatches::iterator dispatch);
  std::optional<InstanceResult> ResultOfLoss(Ticket& ticket, bool launched) const;
  uint64_t Seated() const;

  const ActiveJobRef job_;
  const DeviceSettings settings_;
  MemoryBudget& memory_;
  Pace pace_;
  Quantum quantum_;
  PipelineRef pipeline_;
  Dispatches dispatches_;
  std::optional<SeatClass> last_class_;       // of the last burst
  std::optional<SeatClass> launched_class_;   // of the launch under way
  std::optional<uint64_t> waits_for_memory_;  // the budget's version when there was too little
};

}  // namespace wb
