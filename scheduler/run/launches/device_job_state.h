#pragma once

// DeviceJobState: what a job's own launches on a device and its part in shared launches have in
// common: the job, its pipeline, its tenant's memory there, and what launches have shown.
// Only on the device's own thread.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/base/clock.h"
#include "scheduler/base/memory_budget.h"
#include "scheduler/control/device_settings.h"
#include "scheduler/control/quantum.h"
#include "scheduler/control/slice_controller.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/pipelines/prepared_pipeline.h"
#include "scheduler/run/launches/kept_inputs.h"
#include "scheduler/run/launches/launch_outcome.h"
#include "scheduler/run/seats/seat_table.h"

namespace wb {

// LaunchLimits::group_wait. Instances that are alike, and began apart, come into step by one longer
// wait and stay so. Others part again at once, and every wait of a lane is lost.
constexpr uint32_t GroupWaitOf(LaneHint hint) {
  constexpr uint32_t kOfUniform = 8;
  if (hint == LaneHint::kDivergent) return 0;
  return hint == LaneHint::kUniform ? kOfUniform : LaunchLimits::kGroupWait;
}

// Under what terms instances leave for another dispatch with their state.
struct Migration {
  double fuel_per_s = 0;  // where they go to
  MigrationRule& rule;
  const ImageBudget& budget;
  Clock& clock;
};

class DeviceJobState {
 public:
  DeviceJobState(ActiveJobRef its_job, PreparedPipeline its_pipeline, std::string device_id,
                 const DeviceSettings& device_settings, MemoryBudget& device_memory,
                 KeptInputs& kept_inputs);

  // Instances that this device may seat now, without the room of the sink.
  uint64_t Waiting(SeatClass seat_class) const;
  bool MaySeat() const { return !closed && job->Room() > 0; }
  bool IsEnded() const { return job->cancelled.load() || job->AllFinished(); }
  // A limit of the whole job is reached: every instance that is left ends by it.
  bool IsExpired(TimePoint now) const { return job->limits.IsOver(now); }

  // The job's clock runs also while only the sink's room keeps it from its first turn.
  void StartClockIfHeldUp(TimePoint now);
  // The job's first turn has come. TakeSetupStart: when that was, once its first launch has begun,
  // and only once.
  void StartSetup(TimePoint now);
  std::optional<TimePoint> TakeSetupStart();

  Origin origin() const { return {device, prepared.fast32, prepared.build}; }
  MovingTerms TermsOf(const Migration& migration) const;
  KeepingTerms KeepingTermsOf(StateKeeper& keeper) const;

  // Fuel between two meetings of a group in the next launch.
  uint32_t QuantumOfNext() const;

  // Ended instances become results; those without enough memory or stack go back to the backlog.
  void Take(Harvest harvest, const DispatchShape& shape, LaunchOutcome& outcome);
  // Instances whose given states were not taken in by a dispatch of this shape. Where they must
  // keep them they wait for another dispatch, or end where none would take them in. An error is of
  // the machine or the device: to be tried again.
  Status TakeRefused(std::vector<SeatTable::Refused> refused, const DispatchShape& shape);
  // The device died under these instances: they start again with one attempt less. Those with
  // `blamed` that have no attempt left are added to `failed`.
  void StartAgain(std::vector<InstanceRef> instances, bool blamed,
                  std::vector<InstanceResult>& failed);

  const ActiveJobRef job;
  const std::string device;
  const DeviceSettings settings;
  TenantMemory memory;
  KeptInputs& inputs;
  PreparedPipeline prepared;
  PipelineRef pipeline;                         // null until it is loaded
  std::shared_ptr<SliceController> controller;  // of the pipeline's launches
  // Of the pipeline's program; null: its lanes hold all of their memory.
  std::shared_ptr<TouchedMemory> touched;
  Quantum quantum;
  bool closed = false;  // the device seats no further instances; those seated go on
  bool has_completed_launch = false;

 private:
  void StartMissedAgain(Harvest& harvest, const DispatchShape& shape);

  bool clock_runs_ = false;
  bool is_set_up_ = false;
  std::optional<TimePoint> setup_since_;
};

}  // namespace wb
