#pragma once

// BatchMember: a job's part in the launches that it shares with other jobs: which batch it is in,
// which seats of it are its own, and what these have used. A job is in one batch at a time.
// Only on the device's own thread.

#include <chrono>
#include <cstdint>
#include <vector>

#include "scheduler/devices/device.h"
#include "scheduler/job/batch_key.h"
#include "scheduler/run/launches/device_job_state.h"
#include "scheduler/run/launches/shared_batch.h"
#include "scheduler/run/seats/seat_sets.h"

namespace wb {

class DeviceJob;

// What a launch of a batch came to for one member.
struct MemberOutcome {
  uint64_t instances = 0;  // ended
  uint64_t fuel = 0;       // of these
  uint64_t brought = 0;    // the part of `fuel` that other devices have run
  uint64_t fuel_run = 0;   // in the launch
  uint64_t ran = 0;        // seats
  uint64_t drained = 0;    // as in LaunchOutcome
  bool sound = true;       // false: a record that no sound engine writes was found
};

class BatchMember {
 public:
  // `owner` is for the device's thread, which finds the job by it. `own`: the job's own dispatches.
  // All outlive it.
  BatchMember(DeviceJob& owner, DeviceJobState& state, const SeatSets& own)
      : owner_(owner), state_(state), own_(own), slots_(SlotsOf(state.job->plan)) {}
  BatchMember(const BatchMember&) = delete;
  BatchMember& operator=(const BatchMember&) = delete;

  DeviceJob* owner() const { return &owner_; }
  const ActiveJob& job() const { return *state_.job; }
  SharedBatch* batch() const { return batch_; }  // null: it is in none
  uint64_t seats() const { return seats_.size(); }
  bool fast32() const { return state_.prepared.fast32; }
  bool in_flight() const { return batch_ != nullptr && batch_->in_flight; }

  // Its instances that may take seats of a batch now. None where the job has a dispatch of its own:
  // it keeps that until no instance is left for it.
  uint64_t Waiting(TimePoint now) const;
  // Takes as many free seats as it may; false: none.
  bool Join(SharedBatch& batch, TimePoint now);
  void RecordImported();  // instances that have brought their state may go on in the batch
  // Delivers the results of the batch's last launch and leaves the seats of instances that were not
  // started; the batch then removes it from its members if it has no seat left.
  MemberOutcome Complete(SharedBatch& batch);
  void Charge(std::chrono::nanoseconds busy, const LaneFuel& lane_fuel);  // its part of a launch

  // As SeatedStates::ExportLanes.
  Result<uint64_t> ExportLanes(Device& device, const Migration& migration);
  Result<uint64_t> KeepStates(Device& device, StateKeeper& keeper);  // likewise
  void Leave();  // the batch; its instances go back to the backlog
  // The device died: its instances leave the batch.
  std::vector<InstanceRef> Abandon();

 private:
  void RecordFuel(uint64_t fuel);
  std::vector<uint32_t> GiveUpSeats();

  DeviceJob& owner_;
  DeviceJobState& state_;
  const SeatSets& own_;
  const BlobPlan slots_;  // in batches
  SharedBatch* batch_ = nullptr;
  std::vector<uint32_t> seats_;  // in the batch
  uint64_t fuel_ = 0;            // that the instances in these seats have used
};

}  // namespace wb
