#pragma once

// DeviceJob: a job on one device: its pipeline there, its seats, and the next launch of it.
// Only on the device's own thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scheduler/base/backoff.h"
#include "scheduler/base/memory_budget.h"
#include "scheduler/control/occupancy_tuner.h"
#include "scheduler/control/slice_controller.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/active_job.h"
#include "scheduler/job/job_progress.h"
#include "scheduler/job/waits.h"
#include "scheduler/pipelines/prepared_pipeline.h"
#include "scheduler/run/batcher.h"
#include "scheduler/run/device_settings.h"
#include "scheduler/run/pace.h"
#include "scheduler/run/quantum.h"
#include "scheduler/run/seat_sets.h"

namespace wb {

class DeviceJob {
 public:
  DeviceJob(ActiveJobRef job, PreparedPipeline prepared, std::string device,
            const DeviceSettings& settings, MemoryBudget& memory, HelperThreads& helpers)
      : job_(std::move(job)),
        device_(std::move(device)),
        prepared_(std::move(prepared)),
        settings_(settings),
        memory_(memory, job_->plan.spec.tenant, job_->tenant.max_device_memory_bytes),
        helpers_(helpers),
        pace_(settings.burst_max_duration),
        seats_(memory_) {}
  ~DeviceJob();
  DeviceJob(const DeviceJob&) = delete;
  DeviceJob& operator=(const DeviceJob&) = delete;

  const ActiveJobRef& job() const { return job_; }
  const PreparedPipeline& prepared() const { return prepared_; }
  const PipelineRef& pipeline() const { return pipeline_; }
  // `tuner`: may be null, then launches fill all of the device. `batcher`: likewise, then it shares
  // its launches with nobody.
  void set_pipeline(PipelineRef pipeline, std::shared_ptr<SliceController> controller,
                    std::shared_ptr<OccupancyTuner> tuner, std::shared_ptr<Batcher> batcher) {
    pipeline_ = std::move(pipeline);
    controller_ = std::move(controller);
    tuner_ = std::move(tuner);
    JoinBatcher(std::move(batcher));
  }
  // What its pipeline's launches have settled on, once.
  std::optional<OccupancyChoice> TakeOccupancy() {
    return tuner_ ? tuner_->TakeChoice() : std::nullopt;
  }

  // Those seated, but for those in flight, are given their state to take along: it is called before
  // SwapPipeline, and before the job leaves a device that lives. `fuel_per_s` where they go to.
  // What the device has run of them; DEVICE_LOST.
  struct Moving {
    double fuel_per_s = 0;
    MigrationRule& rule;
    const ImageBudget& budget;
    Clock& clock;
  };
  Result<uint64_t> ExportLanes(Device& device, const Moving& moving);
  // The same for those who wait for memory after a launch, before it is completed. They go on in a
  // dispatch with more.
  Result<uint64_t> ExportWaiting(Device& device, SeatSets::Entry& seats, const Moving& moving);

  // A better pipeline of the same module, for everybody: who is seated goes on with the state given
  // out, or starts again.
  void SwapPipeline(PreparedPipeline pipeline);

  // The device seats nobody new; who is seated goes on.
  void set_closed(bool closed) { closed_ = closed; }
  bool HasSeated() const { return seats_.taken() > 0 || batch_ != nullptr; }
  bool MaySeat() const { return !closed_ && job_->Room() > 0; }
  // Its clock runs also while nothing but room keeps it from its first turn.
  void StartClockIfHeldUp(TimePoint now) {
    if (clock_runs_ || closed_ || !job_->HeldUpByReader()) return;
    clock_runs_ = true;
    job_->StartClock(now);
  }

  // Its first turn has come; when that was, once its first launch has begun, and only once.
  void StartSetup(TimePoint now) {
    if (!is_set_up_ && !setup_since_) setup_since_ = now;
  }
  std::optional<TimePoint> TakeSetupStart() {
    is_set_up_ = true;
    return std::exchange(setup_since_, std::nullopt);
  }

  // A limit of the whole job is reached: whoever is left ends by it.
  bool IsExpired(TimePoint now) const { return job_->IsOver(now); }
  bool IsEnded() const { return job_->cancelled.load() || job_->AllFinished(); }
  // There is something to do for it now: launch, end, or say that its time is over.
  bool CanGo(TimePoint now) const;

  // A launch that may begin now: its seats, or the batch it leads, filled. Both nullptr: there is
  // none.
  struct Turn {
    SeatSets::Entry* seats = nullptr;
    SharedBatch* batch = nullptr;
    LaunchLimits limits;
  };
  using Times = LaunchTimes;
  // DEVICE_LOST: the device is dead;
  // LoseDevice comes next. NO_DEVICE_FITS: not even one lane fits although the job is alone.
  // MACHINE_FAULT: Delay comes next. When
  // memory is short for now there is no turn and CanGo() waits for some to be freed.
  Result<Turn> Next(Device& device, TimePoint now, const Times& times);
  // Its next turn is one of instances under which an engine died: it wants to be alone in the air,
  // so that the blame stays narrow.
  bool NextIsSuspect() const;

  // What one launch came to.
  struct Burst {
    std::chrono::nanoseconds busy{};
    uint64_t instances = 0;  // ended
    uint64_t fuel = 0;       // theirs
    uint64_t brought = 0;    // of it, run by other devices
    uint64_t ran = 0;        // fuel run in the launch, of whoever sat there
    double useful = 1;       // of FullWidth lanes, those that had an instance
  };
  void Launch(SeatSets::Entry& seats) {
    seats.begun_alone = !seats_.in_flight();
    seats.begun_at = busy_;
    seats.in_flight = true;
  }
  // The launch with these limits is over; its results are delivered. DEVICE_LOST: it left a record
  // that no sound engine writes.
  Result<Burst> Complete(SeatSets::Entry& seats, const LaunchLimits& limits,
                         const LaunchReport& report, const DeviceInfo& info);
  bool in_flight() const { return seats_.in_flight() || (batch_ != nullptr && batch_->in_flight); }

  // With others of its batcher (device_job_ride.cc): it sits in one batch at a time.
  const std::shared_ptr<Batcher>& batcher() const { return batcher_; }  // may be null
  SharedBatch* batch() const { return batch_; }
  uint64_t shared_seats() const { return shared_seats_.size(); }
  uint64_t WaitingToBoard(TimePoint now) const;   // its instances that could
  bool Board(SharedBatch& batch, TimePoint now);  // as many as may; false: none
  struct Ride {
    uint64_t instances = 0;  // ended
    uint64_t fuel = 0;       // theirs
    uint64_t brought = 0;    // of it, run by other devices
    uint64_t fuel_run = 0;   // in the launch
    uint64_t ran = 0;        // of its seats
    bool sound = true;
  };
  void RecordArrivals();  // of those who have brought their state, who goes on with it in the batch
  Ride Complete(SharedBatch& batch);  // delivers the results; the batch takes who has got off from
                                      // its members
  void Pay(std::chrono::nanoseconds busy);
  // What it needs next the machine did not have: it goes on at that time. False: it did not have it
  // too often in a row.
  bool Delay(TimePoint now);
  TimePoint delayed_until() const { return delayed_until_; }
  void RecordGoing() {  // a launch of it has begun
    delays_ = 0;
    backoff_.Reset();
  }
  WaitReason MemoryWait(const std::string& device) const;
  bool waits_for_memory() const { return waits_for_memory_.has_value(); }

  // Every instance that is left ends by that limit, unless another device has it. Nothing of it is
  // in flight, as for SwapPipeline and DropDispatches.
  void Expire();

  // The device died, and every launch with it: everybody seated starts again; those who sit in
  // `blamed` have one attempt less, and end END_FAILED when they have none left.
  void LoseDevice(const Dispatch* blamed);

  // Gives back dispatches in which nobody sits; true if there was one.
  bool DropIdleDispatches();
  void DropDispatches();  // all of them; those seated go back to the backlog

 private:
  MovingTerms TermsOf(const Moving& moving) const;
  uint64_t Waiting(SeatClass seat_class) const;  // instances that this device may seat
  std::optional<SeatClass> NextClass() const;
  // `waiting` of the class, with room for one at least.
  bool HasWork(SeatClass seat_class, uint64_t waiting) const;
  bool MayAllocate(SeatClass seat_class, uint64_t waiting) const;
  Result<SeatSets::Entry*> DispatchFor(Device& device, SeatClass seat_class);
  uint32_t AbreastFor(const DeviceInfo& info, uint64_t waiting) const;
  Result<SeatSets::Entry*> Allocate(Device& device, SeatClass seat_class);
  uint64_t MostToSeat(const SeatSets::Entry& entry) const;
  Status Fill(Device& device, SeatSets::Entry& seats);
  LaunchLimits LimitsOf(SeatSets::Entry& seats, TimePoint now, const Times& times);
  // device_job_land.cc
  bool Reap(SeatSets::Entry& seats, const DeviceInfo& info, Burst& burst);
  void RecordSeated(SeatSets::Entry& seats, const Seated& seated);
  void RecordOccupancy(const SeatSets::Entry& seats, const LaunchLimits& limits,
                       const LaunchReport& report, const Seated& before, const Burst& burst);
  void Take(Harvest harvest, const DispatchShape& shape, Burst& burst);
  void StartAgain(std::vector<InstanceRef> instances, bool blamed,
                  std::vector<InstanceResult>& failed);
  std::optional<InstanceResult> ResultOfLoss(InstanceRef& instance, bool blamed) const;
  // device_job_ride.cc
  void JoinBatcher(std::shared_ptr<Batcher> batcher);
  void LeaveBatcher();
  void Alight();  // who sits in the batch goes back to the backlog
  bool Shares() const;
  bool HasRide(uint64_t waiting) const;
  Result<Turn> NextRide(Device& device, TimePoint now, const Times& times);
  std::vector<InstanceRef> AbandonSharedBatch();
  void RecordSharedBatchFuel(uint64_t fuel);
  void GetOff(uint64_t seats);

  const ActiveJobRef job_;
  const std::string device_;
  PreparedPipeline prepared_;
  const DeviceSettings settings_;
  TenantMemory memory_;
  HelperThreads& helpers_;
  Pace pace_;
  Quantum quantum_;
  PipelineRef pipeline_;
  std::shared_ptr<SliceController> controller_;  // of the pipeline's launches
  std::shared_ptr<OccupancyTuner> tuner_;        // likewise; perhaps none
  SeatSets seats_;
  std::shared_ptr<Batcher> batcher_;    // may be null
  BlobPlan slots_;                      // in batches
  SharedBatch* batch_ = nullptr;        // that it rides in
  std::vector<uint32_t> shared_seats_;  // its seats there
  uint64_t shared_fuel_ = 0;            // that those who sit in them have used
  bool closed_ = false;
  uint32_t launches_at_once_ = 1;    // of the device
  std::chrono::nanoseconds busy_{};  // of its launches here
  bool has_landed_ = false;
  bool is_set_up_ = false;
  bool clock_runs_ = false;
  Backoff backoff_;
  uint32_t delays_ = 0;  // times in a row
  TimePoint delayed_until_{};
  std::optional<TimePoint> setup_since_;
  std::optional<SeatClass> last_class_;       // of the last launch
  std::optional<uint64_t> waits_for_memory_;  // the budget's version when there was too little
};

}  // namespace wb
