#pragma once

// ProgressEstimator: how fast a job runs, and when it ends, from what its launches came to. Pure.
//
// The rate is that of the last seconds, rests included. The end follows from what is left to run
// and from the rate, each a range:
// - What is left: instances that have not ended, by the fuel of those that have. Their mean is
// known
//   to two standard errors, and is taken over all and over the last ones. Those that end first are
//   the short ones, so what running instances have used beyond the mean makes the mean greater, and
//   the more so the more lengths differ.
// - The rate: over the last seconds and over the last minutes, each a launch more or less.
// - At the end lanes fall idle: the latest end has the length of the longest instance besides.
// So instances to come are taken to be like those that were seen, and devices like they were. The
// range is unset until two instances have ended in two launches and a second, and while most of the
// fuel is that of running instances which are longer than those that have ended.

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/base/clock.h"
#include "scheduler/job/job.h"

namespace wb {

class ProgressEstimator {
 public:
  static constexpr std::chrono::nanoseconds kLeastSpan = std::chrono::seconds(1);
  static constexpr std::chrono::nanoseconds kRecent = std::chrono::seconds(10);
  static constexpr std::chrono::nanoseconds kLong = std::chrono::minutes(2);
  static constexpr uint64_t kFewestEnded = 2;
  static constexpr uint64_t kFewestRecent = 16;  // ended in a window for a mean of its own

  void Start(TimePoint now);  // the first turn on a device; later calls have no effect
  // Instances have ended; their fuel, the sum of its squares, and that of the longest.
  void RecordEnded(uint64_t instances, uint64_t fuel, double fuel_squares, uint64_t longest);
  // How things stand after a launch: instances that run, their fuel so far, and all that have not
  // ended, those that run included. In order of time; before Start there is no effect.
  void Record(TimePoint now, uint64_t running, uint64_t running_fuel, uint64_t left);

  JobForecast Forecast() const;  // as of the last Record

 private:
  struct Moment {
    TimePoint at{};
    uint64_t launches = 0;  // that ran something
    double ended = 0;       // instances
    double ended_fuel = 0;
    double fuel = 0;  // of running ones too
  };
  // What was since about `length` ago, in few moments.
  class Window {
   public:
    explicit Window(std::chrono::nanoseconds length) : length_(length) {}
    void Record(const Moment& moment);
    const Moment& begin() const { return moments_.front(); }  // there is one

   private:
    const std::chrono::nanoseconds length_;
    std::vector<Moment> moments_;
  };
  struct Bounds {
    double least = 0;
    double most = 0;
  };

  double RateSince(const Moment& begin) const;  // fuel a second; 0: unknown
  Bounds Rates() const;
  double Variation() const;  // of the fuel of instances, over the mean, both squared
  double Beyond() const;     // fuel of running instances that is more than the mean
  Bounds FuelPerInstance() const;
  Bounds Work() const;  // fuel that is left
  double Tail(double rate) const;

  Window recent_{kRecent};
  Window long_{kLong};
  std::optional<TimePoint> started_;
  Moment now_;
  double squares_ = 0;  // of ended fuel
  double longest_ = 0;  // of those that ended, its fuel
  double running_ = 0;
  double running_fuel_ = 0;
  double left_ = 0;
};

}  // namespace wb
