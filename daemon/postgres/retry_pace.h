#pragma once

// RetryPace: when a server that does not answer is asked again: at once, then after a pause that
// doubles up to a bound. Pure.

#include <algorithm>
#include <chrono>

namespace wb {

class RetryPace {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kShortest{100};
  static constexpr std::chrono::milliseconds kLongest{2000};

  bool MayTry(Clock::time_point now) const { return now >= next_; }
  void Failed(Clock::time_point now) {
    next_ = now + pause_;
    pause_ = std::min(2 * pause_, kLongest);
  }
  void Succeeded() { *this = RetryPace(); }

 private:
  Clock::time_point next_ = Clock::time_point::min();
  std::chrono::milliseconds pause_ = kShortest;
};

}  // namespace wb
