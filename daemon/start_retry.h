#pragma once

// StartRetry: repeats a step of the daemon's start while its database is too slow for it.
//
// A daemon that ended instead would leave its place to a new one that asks the same database for
// the same. What else is wrong with a database, such as that it is not there, ends the start at
// once.
//
// Threads: one.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "compiler/base/status.h"
#include "scheduler/base/clock.h"

namespace wb {

class StartRetry {
 public:
  // No try of a step begins later than so long after its first one took too long.
  static constexpr std::chrono::seconds kLongest{60};

  // Waits for so long. False: the daemon is to end.
  using Pause = std::function<bool(std::chrono::nanoseconds time)>;
  static bool Sleep(std::chrono::nanoseconds time);  // a Pause that nothing ends

  // `statement`: how long one statement may take (store.timeout).
  StartRetry(std::chrono::nanoseconds statement, Pause pause,
             std::function<TimePoint()> now = std::chrono::steady_clock::now)
      : statement_(statement), pause_(std::move(pause)), now_(std::move(now)) {}

  // `what` the step waits for, in words for an operator. `step` may run several times. Its last
  // error, or MACHINE_FAULT: the database was too slow for all of kLongest; CANCELLED: the daemon
  // was to end meanwhile.
  Status Run(std::string_view what, const std::function<Status()>& step) const;

 private:
  void Tell(std::string_view what, uint64_t tries, std::chrono::milliseconds pause,
            const Status& why) const;

  const std::chrono::nanoseconds statement_;
  const Pause pause_;
  const std::function<TimePoint()> now_;
};

}  // namespace wb
