#pragma once

// What a device's thread tells of its jobs. Callbacks run on the device's thread.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "scheduler/base/scheduler_log.h"
#include "scheduler/bursts/burst_record.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/started_device.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/pipelines/occupancy_notes.h"

namespace wb {

// Why a device's thread hands a job back to the coordinator.
enum class GivenBack : uint8_t {
  kBadPipeline,  // its binary does not load
  kKillsEngine,  // loading it ended the engine twice
  kNoEngine,     // the engine does not start any more
  kNoMemory,     // not even one lane fits
  kMachine,      // the machine lacked something, again and again
  kEvicted,      // the coordinator asked for it
  kClosed,       // the device takes no instances now
};

// A job that a device has no more.
struct Departure {
  ActiveJobRef job;
  std::string device;
  Digest pipeline;  // its key
};

struct DeviceEvents {
  std::function<void(Departure)> ended;  // all results delivered, or cancelled
  std::function<void(Departure, GivenBack, Status)> given_back;
  // Of a job that is on other devices too, or may go there: seats were filled or left here.
  std::function<void(const ActiveJobRef&)> completed;
  // The full build that the job runs has kept the device busy for so long by now
  // (LoadedPipelines::kBusy); may be empty.
  std::function<void(const ActiveJobRef&, const std::string& device, std::chrono::nanoseconds)>
      kept_busy;
  SchedulerLog log;
  std::function<void(const BurstRecord&)> burst;  // that has ended; may be empty
  // What a pipeline's launches on a device of this kind settled on earlier, and to remember what
  // they settle on now; the first may look at the disk. Both may be empty.
  std::function<std::optional<Occupancy>(const OccupancyOwner&)> find_occupancy;
  std::function<void(const OccupancyOwner&, const Occupancy&)> remember_occupancy;
};

}  // namespace wb
