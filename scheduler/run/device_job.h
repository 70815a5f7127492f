#pragma once

// DeviceJob: a job on one device: whether it can go, which of its launches is next, and how it
// leaves. Its own launches and its part in shared ones are classes of their own.
// Only on the device's own thread.

#include <memory>
#include <optional>
#include <string>

#include "scheduler/base/helper_threads.h"
#include "scheduler/base/memory_budget.h"
#include "scheduler/base/retry_delay.h"
#include "scheduler/control/device_settings.h"
#include "scheduler/control/occupancy_tuner.h"
#include "scheduler/control/slice_controller.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/pipelines/prepared_pipeline.h"
#include "scheduler/run/launches/batch_member.h"
#include "scheduler/run/launches/batcher.h"
#include "scheduler/run/launches/device_job_state.h"
#include "scheduler/run/launches/own_launches.h"

namespace wb {

// A job's pipeline on a device, and what is known of its launches there.
struct LoadedPipeline {
  PipelineRef pipeline;
  std::shared_ptr<SliceController> controller;
  std::shared_ptr<TouchedMemory> touched;  // may be null: lanes hold all of their memory
  std::shared_ptr<OccupancyTuner> tuner;   // may be null: launches fill all of the device
  std::shared_ptr<Batcher> batcher;        // may be null: the job shares no launches
};

class DeviceJob {
 public:
  DeviceJob(ActiveJobRef job, PreparedPipeline prepared, std::string device,
            const DeviceSettings& settings, MemoryBudget& memory, KeptInputs& inputs,
            HelperThreads& helpers)
      : state_(std::move(job), std::move(prepared), std::move(device), settings, memory, inputs),
        own_(state_, helpers),
        member_(*this, state_, own_.seats()) {}
  ~DeviceJob();
  DeviceJob(const DeviceJob&) = delete;
  DeviceJob& operator=(const DeviceJob&) = delete;

  const ActiveJobRef& job() const { return state_.job; }
  DeviceJobState& state() { return state_; }
  const DeviceJobState& state() const { return state_; }
  OwnLaunches& own() { return own_; }
  RetryDelay& delay() { return delay_; }
  const RetryDelay& delay() const { return delay_; }
  const std::shared_ptr<Batcher>& batcher() const { return batcher_; }  // may be null

  void SetPipeline(LoadedPipeline loaded, const DeviceInfo& info);
  // Its dispatches have the pipeline of SetPipeline() from now on, and instances go on where they
  // are. None of them is in flight. Only where the device adopts pipelines.
  Status AdoptPipeline(Device& device);
  bool IsInBatch() const { return member_.batch() != nullptr; }  // with instances of others
  // A better pipeline of the same module, for all instances: those seated go on with the state that
  // ExportLanes gave them, or start again. None of them is in flight.
  void SwapPipeline(PreparedPipeline pipeline);

  bool HasSeated() const { return own_.seats().taken() > 0 || member_.batch() != nullptr; }
  bool in_flight() const { return own_.seats().in_flight() || member_.in_flight(); }
  // There is something to do for it now: launch, end, or say that its time is over.
  bool CanGo(TimePoint now) const;

  // A launch that may begin now: its own seats, or the batch that it leads, filled. Both null:
  // there is none.
  struct Turn {
    SeatSets::Entry* seats = nullptr;
    SharedBatch* batch = nullptr;
    LaunchLimits limits;
  };
  // DEVICE_LOST: the device is dead; LoseDevice comes next. NO_DEVICE_FITS: not even one lane fits
  // although the job is alone. MACHINE_FAULT: delay().Failed comes next. When memory is short for
  // now there is no turn, and CanGo() waits for some to be freed.
  Result<Turn> Next(Device& device, TimePoint now, const LaunchTimes& times);
  // Its next turn is one of instances under which an engine died: no other launch may be in flight
  // then, so that the blame stays narrow.
  bool NextIsSuspect() const;

  // Instances that are seated, and not in flight, are given their state to take along: before
  // SwapPipeline, and before the job leaves a device that lives. What the device has run of them;
  // DEVICE_LOST.
  Result<uint64_t> ExportLanes(Device& device, const Migration& migration);
  // Likewise the states leave the scheduler: before a job ends that leaves to a keeper. How many.
  Result<uint64_t> KeepStates(Device& device, StateKeeper& keeper);
  // Every instance that is left ends by a limit of the job, unless another device has it. None is
  // in flight.
  void Expire();
  // The device died, and every launch with it: all instances that are seated start again. Those in
  // `blamed` have one attempt less, and end FAILED when they have none left.
  void LoseDevice(const Dispatch* blamed);
  bool DropIdleDispatches();  // those without instances; true if there was one

 private:
  bool Shares() const;
  bool HasWork(SeatClass seat_class, uint64_t waiting) const;
  std::optional<SeatClass> NextClass() const;
  Result<Turn> NextShared(Device& device, TimePoint now, const LaunchTimes& times);
  void DropDispatches();
  void LeaveBatcher();

  DeviceJobState state_;
  OwnLaunches own_;
  BatchMember member_;
  std::shared_ptr<Batcher> batcher_;  // may be null
  RetryDelay delay_;
  std::optional<SeatClass> last_class_;  // of the last launch
};

}  // namespace wb
