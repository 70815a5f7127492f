#include "scheduler/run/thermal_watch.h"

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/sensors/thermal_state.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::milliseconds kWorkingPeriod{250};  // from sample to sample
constexpr std::chrono::milliseconds kLongIdle{500};       // more misleads of what work draws
constexpr std::chrono::seconds kWatchedPeriod{1};         // while the device is idle
constexpr std::chrono::seconds kWatchedFor{10};           // after an operator has looked
constexpr std::chrono::seconds kWorthSaying{2};           // of a rest, to the jobs
constexpr uint32_t kSilentSamples = 3;                    // then it has no sensors

ThermalSample SampleOf(const Telemetry& telemetry, TimePoint now) {
  const HeatLevel level = telemetry.thermal_state ? ThermalStateOf(*telemetry.thermal_state).level
                                                  : HeatLevel::kUnknown;
  return {now,  telemetry.celsius, telemetry.watts, telemetry.watts_limit, telemetry.throttled,
          level};
}

bool IsEmpty(const Telemetry& telemetry) {
  return !telemetry.celsius && !telemetry.watts && !telemetry.joules && !telemetry.utilisation &&
         !telemetry.memory_used && !telemetry.thermal_state;
}

}  // namespace

void ThermalWatch::Watch(TimePoint now) {
  MutexLock lock(mutex_);
  watched_until_ = now + kWatchedFor;
}

bool ThermalWatch::IsWatched(TimePoint now) const {
  MutexLock lock(mutex_);
  return now < watched_until_;
}

void ThermalWatch::Show(DeviceStatus* status) const {
  MutexLock lock(mutex_);
  status->telemetry = telemetry_;
  status->rest = words_;
}

std::optional<WaitReason> ThermalWatch::Wait(const std::string& device, TimePoint now) const {
  MutexLock lock(mutex_);
  if (words_.empty()) return std::nullopt;
  return WaitReason{WaitCause::kRest,
                    "the device " + Quoted(device) + ", " + words_,
                    std::max(rest_end_ - now, nanoseconds(0)),
                    {}};
}

bool ThermalWatch::HasSensors() const { return silent_samples_ < kSilentSamples; }

// Reads the sensors if what they said last is at least so old.
void ThermalWatch::Sample(Device& device, TimePoint now, nanoseconds oldest) {
  if (!HasSensors() || now - sampled_ < oldest) return;
  const Telemetry telemetry = device.Sample();
  sampled_ = now;
  worked_ = false;
  silent_samples_ = IsEmpty(telemetry) ? silent_samples_ + 1 : 0;
  governor_.Record(SampleOf(telemetry, now));
  energy_.Record({now, telemetry.joules, telemetry.watts});
  MutexLock lock(mutex_);
  telemetry_ = telemetry;
}

void ThermalWatch::Start(Device& device, TimePoint now) {
  sampled_ = {};
  silent_samples_ = 0;
  Sample(device, now, {});
}

bool ThermalWatch::MayWork(Device& device, TimePoint now, bool idle) {
  const bool watched = IsWatched(now);
  if (IsResting() || worked_) Sample(device, now, kWorkingPeriod);
  if (watched && idle) Sample(device, now, kWatchedPeriod);
  const RestCause before = rest_.cause;
  rest_ = governor_.Look(now);
  const std::string words = governor_.Words(rest_, now);
  if (rest_.cause != before && rest_.end - now >= kWorthSaying) news_ = words;
  MutexLock lock(mutex_);
  words_ = words;
  rest_end_ = rest_.end;
  return rest_.IsOver();
}

std::optional<std::string> ThermalWatch::TakeNews() { return std::exchange(news_, std::nullopt); }

void ThermalWatch::RecordWork(nanoseconds busy, TimePoint now) {
  governor_.Worked(now - busy, now);
  energy_.Worked(busy);
  worked_ = true;  // the sensors are read once the launch's results are on their way
}

void ThermalWatch::BeginWork(Device& device, TimePoint now) {
  if (energy_.Measures()) Sample(device, now, kLongIdle);
}

std::optional<double> ThermalWatch::WattsOfWork(Device& device, TimePoint now) {
  if (!energy_.Measures()) return std::nullopt;
  Sample(device, now, kWorkingPeriod);
  return energy_.Watts(now);
}

std::optional<nanoseconds> ThermalWatch::TimeLeft(TimePoint now) const {
  if (!governor_.RestsAfterBurst(now)) return std::nullopt;
  return governor_.Left();
}

TimePoint ThermalWatch::NextLook(TimePoint now, bool has_device) const {
  TimePoint next = TimePoint::max();
  if (IsResting() && rest_.look > now) next = rest_.look;
  const bool samples = has_device && HasSensors() && IsWatched(now);
  return samples ? std::min(next, sampled_ + kWatchedPeriod) : next;
}

}  // namespace wb
