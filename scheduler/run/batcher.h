#pragma once

// Batcher: the small jobs on a device whose instances may sit in one dispatch (batch_key.h), and
// the batches that carry them. Whose turn it is leads: its instances board first, then those of the
// others who wait, by tenants in turn.
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
#include "scheduler/control/slice_controller.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/active_job.h"
#include "scheduler/job/batch_key.h"
#include "scheduler/job/job_progress.h"
#include "scheduler/pipelines/prepared_pipeline.h"
#include "scheduler/run/device_settings.h"
#include "scheduler/run/shared_batch.h"

namespace wb {

// What a launch may take, as whoever plans it knows.
struct LaunchTimes {
  std::chrono::nanoseconds ahead{};  // that the launches may take that are under way
  std::chrono::nanoseconds left{};   // for this one
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

  void Join(DeviceJob& job) { members_.push_back(&job); }
  void Leave(DeviceJob& job);  // it rides in no batch
  size_t size() const { return members_.size(); }

  // A batch would take somebody who rides in none, or there may be another one.
  bool HasPlace() const;
  // The batch for a launch in which the leader's instances run: the one it rides in or boards, with
  // others who have boarded it. nullptr: there is no place for the leader. DEVICE_LOST.
  Result<SharedBatch*> Fill(DeviceJob& leader, Device& device, TimePoint now);
  LaunchLimits LimitsOf(SharedBatch& batch, TimePoint now, const LaunchTimes& times) const;

  // What a launch came to for one who had seats in it.
  struct Fare {
    DeviceJob* member = nullptr;
    std::chrono::nanoseconds busy{};  // its part, by the seats that ran
  };
  struct Arrival {
    std::vector<Fare> cost_shares;
    uint64_t instances = 0;  // ended
    uint64_t fuel = 0;       // theirs
    uint64_t brought = 0;    // of it, run by other devices
    uint64_t fuel_run = 0;   // in the launch
    uint64_t ran = 0;        // seats
    bool sound = true;       // false: a record that no sound engine writes was found
  };
  Arrival Complete(SharedBatch& batch, const LaunchLimits& limits, const LaunchReport& report);

  void DropIfIdle(const SharedBatch& batch,
                  TimePoint now);  // nobody sits in it or waits for a seat
  bool DropIdle();                 // batches in which nobody sits; true if there was one

 private:
  // A tenant's jobs that may board.
  struct Queue {
    double weight = 1;
    double seats = 0;  // that it has in the batch
    std::vector<DeviceJob*> jobs;
    size_t next = 0;
  };
  using Queues = std::map<std::string, Queue>;

  uint32_t LanesOfNext(TimePoint now) const;  // batch
  Result<SharedBatch*> Allocate(Device& device, TimePoint now);
  Queues QueuesFor(const SharedBatch& batch, TimePoint now) const;
  bool BoardOthers(SharedBatch& batch, TimePoint now);
  uint64_t Waiting(TimePoint now) const;  // instances that may board
  void Drop(const SharedBatch& batch);

  const JobPlan plan_;
  const PipelineRef pipeline_;
  const LaneLayout layout_;
  const std::shared_ptr<SliceController> controller_;
  const DeviceSettings settings_;
  const DeviceInfo info_;
  MemoryBudget& memory_;
  std::vector<DeviceJob*> members_;
  std::list<SharedBatch> batches_;
};

}  // namespace wb
