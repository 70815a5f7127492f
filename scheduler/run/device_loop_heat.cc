// DeviceLoop: its sensors, and its rests.

#include <algorithm>

#include "scheduler/base/quoted.h"
#include "scheduler/run/device_loop.h"
#include "scheduler/sensors/thermal_state.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::milliseconds kWorkingPeriod{250};  // from sample to sample
constexpr std::chrono::seconds kWatchedPeriod{1};         // while it does nothing
constexpr std::chrono::seconds kWatchedFor{10};           // after somebody has looked
constexpr std::chrono::seconds kWorthSaying{2};           // of a rest, to the jobs
constexpr uint32_t kSilentSamples = 3;                    // then it has no sensors

ThermalSample SampleOf(const Telemetry& telemetry, TimePoint now) {
  const HeatLevel level = telemetry.thermal_state ? ThermalStateOf(*telemetry.thermal_state).level
                                                  : HeatLevel::kUnknown;
  return {now,  telemetry.celsius, telemetry.watts, telemetry.watts_limit, telemetry.throttled,
          level};
}

bool IsEmpty(const Telemetry& telemetry) {
  return !telemetry.celsius && !telemetry.watts && !telemetry.utilisation &&
         !telemetry.memory_used && !telemetry.thermal_state;
}

}  // namespace

bool DeviceLoop::HasSensors() const { return silent_samples_ < kSilentSamples; }

// Reads the sensors if what they said last is at least so old.
void DeviceLoop::TakeSample(TimePoint now, nanoseconds oldest) {
  if (!device_ || !HasSensors() || now - sampled_ < oldest) return;
  const Telemetry telemetry = device_->Sample();
  sampled_ = now;
  worked_ = false;
  silent_samples_ = IsEmpty(telemetry) ? silent_samples_ + 1 : 0;
  governor_.Record(SampleOf(telemetry, now));
  MutexLock lock(mutex_);
  status_.telemetry = telemetry;
}

// Whether the device may be given work; if not, rest_ says why, and when to look again.
bool DeviceLoop::MayWork(TimePoint now) {
  bool watched = false;
  {
    MutexLock lock(mutex_);
    watched = now < watched_until_;
  }
  if (!rest_.IsOver() || worked_) TakeSample(now, kWorkingPeriod);
  if (watched && in_flight_.empty()) TakeSample(now, kWatchedPeriod);
  const RestCause before = rest_.cause;
  rest_ = governor_.Look(now);
  const std::string words = governor_.Words(rest_, now);
  if (rest_.cause != before && rest_.end - now >= kWorthSaying) SayRest(words);
  MutexLock lock(mutex_);
  status_.rest = words;
  rest_end_ = rest_.end;
  return rest_.IsOver();
}

// To the jobs that are here: why none of them runs.
void DeviceLoop::SayRest(const std::string& words) {
  for (const Resident& resident : jobs_) {
    if (resident->in_flight()) continue;
    resident->job()->Publish([&](JobProgress& progress) {
      progress.waiting_for = "the device " + Quoted(id_) + ", " + words;
    });
  }
}

// A launch has ended. Its own time counts, not what it waited behind others.
void DeviceLoop::RecordWork(const LaunchReport& report) {
  const TimePoint now = clock_.Now();
  governor_.Worked(now - report.busy, now);
  worked_ = true;  // the sensors are read once its results are on their way
}

DeviceStatus DeviceLoop::Snapshot() const {
  MutexLock lock(mutex_);
  watched_until_ = clock_.Now() + kWatchedFor;
  changed_.NotifyAll();
  DeviceStatus status = status_;
  ShowGate(&status);
  ShowTrouble(&status);
  return status;
}

// Of an idle device that somebody watches.
TimePoint DeviceLoop::NextSample(TimePoint now) const {
  if (!device_ || !HasSensors() || now >= watched_until_) return TimePoint::max();
  return sampled_ + kWatchedPeriod;
}

}  // namespace wb
