#pragma once

// LoadedPipelines: the pipelines that a device has loaded, and what outlives the jobs that run on
// them: how long their launches take, how many lanes they fill, and which jobs share launches.
// Only on the device's own thread.

#include <chrono>
#include <memory>
#include <tuple>
#include <utility>

#include "scheduler/base/lru.h"
#include "scheduler/base/memory_budget.h"
#include "scheduler/control/device_settings.h"
#include "scheduler/control/occupancy_tuner.h"
#include "scheduler/control/slice_controller.h"
#include "scheduler/devices/device.h"
#include "scheduler/pipelines/pipeline_book.h"
#include "scheduler/run/device_events.h"
#include "scheduler/run/device_job.h"
#include "scheduler/run/launches/batcher.h"

namespace wb {

class LoadedPipelines {
 public:
  // A full build whose launches have kept the device busy for so long, or for two, four, ... times
  // as long, may be worth a better one. Trials of occupancies take as long
  // (control/occupancy_tuner.h): jobs that are over before are not long enough for either.
  static constexpr std::chrono::seconds kBusy{2};

  // All outlive it.
  LoadedPipelines(const DeviceSettings& settings, const DeviceEvents& events, MemoryBudget& memory);
  LoadedPipelines(const LoadedPipelines&) = delete;
  LoadedPipelines& operator=(const LoadedPipelines&) = delete;

  // The job gets its pipeline, loaded now if it is not. Errors: those of Device::Load.
  Status Load(DeviceJob& job, Device& device);
  // A job that runs goes on with a better build of its module, with its instances where they are.
  // After an error it has the one that it had. DEVICE_LOST; as Load.
  Status Adopt(DeviceJob& job, Device& device, const PreparedPipeline& better);
  // The job runs on this pipeline from now on.
  void Use(DeviceJob& job, PipelineRef pipeline, const DeviceInfo& info);
  // What the job's launches have settled on is logged and remembered.
  void RecordOccupancy(DeviceJob& job, const DeviceInfo& info);
  void RecordLaunch(const DeviceJob& job, const PipelineBook::Launch& launch);
  void Clear() { pipelines_.Clear(); }                // the device is gone
  const PipelineBook& book() const { return book_; }  // any thread

 private:
  std::shared_ptr<SliceController> ControllerOf(const Digest& pipeline);
  std::shared_ptr<TouchedMemory> TouchedBy(const PreparedPipeline& prepared,
                                           const DeviceInfo& info);
  std::shared_ptr<OccupancyTuner> TunerOf(const DeviceJob& job, const DeviceInfo& info);
  std::shared_ptr<Batcher> BatcherOf(const DeviceJob& job, const PipelineRef& pipeline,
                                     const DeviceInfo& info);

  const DeviceSettings& settings_;
  const DeviceEvents& events_;
  MemoryBudget& memory_;
  PipelineBook book_;
  Lru<std::pair<Digest, Effort>, PipelineRef> pipelines_;      // by key and effort
  Lru<Digest, std::shared_ptr<SliceController>> controllers_;  // by the pipeline's key
  Lru<Digest, std::shared_ptr<TouchedMemory>> touched_;        // likewise
  // By the pipeline's key, whether it is a best build, and the functions called.
  Lru<std::tuple<Digest, bool, Digest>, std::shared_ptr<OccupancyTuner>> tuners_;
  Lru<Digest, std::weak_ptr<Batcher>> batchers_;  // by ShareKeyOf
};

}  // namespace wb
