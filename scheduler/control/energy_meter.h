#pragma once

// EnergyMeter: the power that a device draws while it works, from what its sensors say now and
// then. Pure: a function of launches, samples and time.
//
// A launch's energy is that power times its length, so idle time counts for no job. The power is
// the mean between two samples of a counter of energy, where the device worked nearly all of that
// time; else what the sensors call its power. It is remembered for a minute: a short launch may end
// before there is another sample. A device that has neither has no energy, rather than none.

#include <chrono>
#include <optional>

#include "scheduler/base/clock.h"

namespace wb {

struct EnergySample {
  TimePoint at{};
  std::optional<double> joules;  // counted from some moment on; falls where that begins anew
  std::optional<float> watts;    // over the last moments
};

class EnergyMeter {
 public:
  // Counters move in steps: a shorter span says little.
  static constexpr std::chrono::nanoseconds kShortestSpan = std::chrono::milliseconds(100);
  static constexpr std::chrono::nanoseconds kRemembered = std::chrono::minutes(1);
  static constexpr double kWorks = 0.8;  // of a span

  void Worked(std::chrono::nanoseconds busy) { worked_ += busy; }  // a launch that has ended
  void Record(const EnergySample& sample);                         // in order of time
  // While the device works; unset: nothing measures it.
  std::optional<double> Watts(TimePoint now) const;
  bool Measures() const { return measures_; }  // some sample had one of the two

 private:
  struct Power {
    double watts = 0;
    TimePoint at{};
  };
  void RecordCounter(const EnergySample& sample);

  bool measures_ = false;
  std::optional<EnergySample> begin_;  // of the span
  std::chrono::nanoseconds worked_{};  // since then
  std::optional<Power> working_;       // at work nearly all of the time
  std::optional<Power> any_;           // at work or not
};

}  // namespace wb
