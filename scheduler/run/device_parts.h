#pragma once

// DeviceParts: what a device's loop is made of. DeviceLoop owns one; its thread works on it.

#include <string>
#include <utility>

#include "scheduler/base/clock.h"
#include "scheduler/base/helper_threads.h"
#include "scheduler/base/memory_budget.h"
#include "scheduler/bursts/burst_recorder.h"
#include "scheduler/control/device_settings.h"
#include "scheduler/job/moved_lane.h"
#include "scheduler/placement/rate_book.h"
#include "scheduler/run/device_events.h"
#include "scheduler/run/device_lifecycle.h"
#include "scheduler/run/gate_watch.h"
#include "scheduler/run/in_flight_launches.h"
#include "scheduler/run/launch_totals.h"
#include "scheduler/run/launches/kept_inputs.h"
#include "scheduler/run/loaded_pipelines.h"
#include "scheduler/run/loop_inbox.h"
#include "scheduler/run/loop_jobs.h"
#include "scheduler/run/thermal_watch.h"

namespace wb {

// What devices know together: what launches of modules showed, and how much state of instances on
// their way from one to another the daemon holds.
struct SharedByDevices {
  RateBook& rates;
  const ImageBudget& images;
};

struct DeviceParts {
  DeviceParts(std::string device_id, DeviceStarter starter, const DeviceSettings& device_settings,
              Clock& the_clock, const SharedByDevices& shared, DeviceEvents device_events);

  // Of the loop's thread.
  // Instances can be seated now.
  bool Takes() const { return lifecycle.device() != nullptr && gate.gate().IsOpen(); }

  void RecordLaunch(const BurstLaunch& launch);
  void EndBurst(BurstEnd end);  // where one has begun

  const std::string id;
  const DeviceSettings settings;
  Clock& clock;
  RateBook& rates;
  const ImageBudget& images;
  const DeviceEvents events;

  // Each has a lock of its own for what other threads see.
  LoopInbox inbox;
  DeviceLifecycle lifecycle;
  GateWatch gate;
  ThermalWatch thermal;
  LaunchTotals totals;
  InFlightBoard board;

  // Of the loop's thread alone.
  MemoryBudget memory;
  KeptInputs inputs;
  HelperThreads helpers;  // for seats and results
  LoadedPipelines pipelines;
  LoopJobs jobs;
  InFlightLaunches in_flight;
  BurstRecorder bursts;
};

}  // namespace wb
