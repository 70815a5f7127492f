#pragma once

// LaunchCycle: launches of a device from their begin to what they came to, how jobs leave with the
// state of their instances, and what the loss of the device means for all of these.
// Only on the device's own thread.

#include <chrono>
#include <optional>
#include <string>

#include "scheduler/placement/decision.h"
#include "scheduler/run/device_parts.h"
#include "scheduler/run/seats/migration_rule.h"

namespace wb {

class LaunchCycle {
 public:
  explicit LaunchCycle(DeviceParts& parts) : parts_(parts) {}  // outlives it
  LaunchCycle(const LaunchCycle&) = delete;
  LaunchCycle& operator=(const LaunchCycle&) = delete;

  bool MayLaunch(TimePoint now) const;  // another one
  LaunchTimes TimesForNext(TimePoint now) const;
  void Begin(InFlightLaunch launch);
  // Waits for the launch that runs and takes its results, while the next one runs. Jobs that have
  // ended leave.
  void CompleteOldest();
  void CompleteAll();

  // The job ends here; the states of its instances go to its keeper, if it has one.
  void End(DeviceJob& job);
  // The job leaves the device; its instances take their state along.
  void GiveBack(DeviceJob& job, GivenBack why, const Status& status);
  // Before a job leaves, or gets another pipeline: its instances are given their state.
  void ExportLanes(DeviceJob& job);
  // The job goes on with a better build, its instances where they are. False: they have to be
  // exported, or there is none, or the device is dead.
  bool AdoptPipeline(DeviceJob& job, const PreparedPipeline& better);
  // The device is dead: what was seated starts again, blamed in `blamed` (may be null). It is
  // started again later.
  void LoseDevice(const Status& why, const Dispatch* blamed);

 private:
  void KeepStates(DeviceJob& job);
  std::chrono::nanoseconds TimeLeft(TimePoint now) const;
  std::chrono::nanoseconds TimeForNewcomers(TimePoint now) const;
  void PublishInFlight();
  bool MustStop(const InFlightLaunch& launch);
  Status Complete(const InFlightLaunch& launch, const LaunchReport& report);
  Result<LaunchOutcome> CompleteOwn(const InFlightLaunch& launch, const LaunchReport& report,
                                    BurstLaunch* burst);
  Result<LaunchOutcome> CompleteShared(const InFlightLaunch& launch, const LaunchReport& report,
                                       BurstLaunch* burst);
  std::optional<double> RecordWork(const LaunchReport& report);
  Status ExportWaiting(const InFlightLaunch& launch);
  void RecordSetup(DeviceJob& job);
  Candidate HereFor(const DeviceJob& job) const;
  std::string RateKindOf(const DeviceJob& job) const;

  DeviceParts& parts_;
  MigrationRule migration_rule_;
};

}  // namespace wb
