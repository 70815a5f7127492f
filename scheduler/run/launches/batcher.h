#pragma once

// Batcher: the small jobs on a device whose instances may share one dispatch (batch_key.h), and
// the batches that carry them. The job whose turn it is leads: its instances take seats first, then
// those of the other jobs that wait, tenants in turn.
//
// Only on the device's own thread.

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/base/memory_budget.h"
#include "scheduler/control/device_settings.h"
#include "scheduler/control/slice_controller.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/launches/batch_member.h"
#include "scheduler/run/launches/launch_outcome.h"
#include "scheduler/run/launches/shared_batch.h"

namespace wb {

// What a launch of a batch came to.
struct BatchOutcome {
  struct CostShare {
    BatchMember* member = nullptr;
    std::chrono::nanoseconds busy{};  // its part, by the seats that ran
    LaneFuel lane_fuel;               // likewise
    uint64_t instances = 0;           // its own, as below
    uint64_t fuel_run = 0;
  };
  std::vector<CostShare> cost_shares;
  uint64_t instances = 0;  // ended
  uint64_t fuel = 0;       // of these
  uint64_t brought = 0;    // the part of `fuel` that other devices have run
  uint64_t fuel_run = 0;   // in the launch
  uint64_t ran = 0;        // seats
  bool sound = true;       // false: a record that no sound engine writes was found
};

class Batcher {
 public:
  // `plan`: of any of its jobs. `memory` outlives it.
  Batcher(const JobPlan& plan, PipelineRef pipeline, const LaneLayout& layout,
          std::shared_ptr<SliceController> controller, const DeviceSettings& settings,
          const DeviceInfo& info, MemoryBudget& memory);
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // Jobs with fewer instances do not fill such a device.
  static uint64_t Filling(const DeviceSettings& settings, const DeviceInfo& info);

  void Join(BatchMember& member) { members_.push_back(&member); }
  void Leave(BatchMember& member);  // it is in no batch
  size_t size() const { return members_.size(); }

  // A batch would take a job that is in none, or there may be another batch.
  bool HasPlace() const;
  // The batch for a launch in which the leader's instances run: the one that it is in or joins, and
  // that others have joined too. nullptr: there is no place for the leader. DEVICE_LOST.
  Result<SharedBatch*> Fill(BatchMember& leader, Device& device, TimePoint now);
  LaunchLimits LimitsOf(SharedBatch& batch, TimePoint now, const LaunchTimes& times) const;
  BatchOutcome Complete(SharedBatch& batch, const LaunchLimits& limits, const LaunchReport& report);

  // Drops a batch in which no instance is seated or waits for a seat.
  void DropIfIdle(const SharedBatch& batch, TimePoint now);
  bool DropIdle();  // batches without instances; true if there was one

 private:
  // A tenant's jobs that may join.
  struct Queue {
    double weight = 1;
    double seats = 0;  // that it has in the batch
    std::vector<BatchMember*> members;
    size_t next = 0;
  };
  using Queues = std::map<std::string, Queue>;

  uint32_t LanesOfNext(TimePoint now) const;  // of the next batch
  Result<SharedBatch*> Allocate(Device& device, TimePoint now);
  Queues QueuesFor(const SharedBatch& batch, TimePoint now) const;
  bool JoinOthers(SharedBatch& batch, TimePoint now);
  uint64_t WaitingOf(const BatchMember& member, TimePoint now) const;
  uint64_t Waiting(TimePoint now) const;  // instances that may join a batch
  void Drop(const SharedBatch& batch);

  const JobPlan plan_;
  const PipelineRef pipeline_;
  const LaneLayout layout_;
  const std::shared_ptr<SliceController> controller_;
  const DeviceSettings settings_;
  const DeviceInfo info_;
  MemoryBudget& memory_;
  std::vector<BatchMember*> members_;
  std::list<SharedBatch> batches_;
};

}  // namespace wb
