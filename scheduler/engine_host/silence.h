#pragma once

// Silence: how long an engine host has not been heard. Pure.
//
// It is counted in ticks of the daemon's watch, not by the clock. A daemon that was stopped, or had
// no processor, did not tick meanwhile, so that time does not count against the host.

#include <atomic>
#include <chrono>
#include <cstdint>

namespace wb {

class Silence {
 public:
  static constexpr std::chrono::milliseconds kBeat{500};   // a host says so often that it lives
  static constexpr std::chrono::milliseconds kTick{1000};  // the watch looks so often
  static constexpr std::chrono::milliseconds kWorthSaying{3000};

  explicit Silence(std::chrono::milliseconds longest) : longest_(longest) {}

  // `heard`: all bytes that have come from the host. Before the first ones there is no silence: the
  // time that a host may take to start has a bound of its own.
  void Tick(uint64_t heard);
  // 0 while the silence is too short to report.
  std::chrono::milliseconds length() const;
  bool IsOver() const { return kTick * ticks_ >= longest_; }  // the host counts as hung
  std::chrono::milliseconds longest() const { return longest_; }

 private:
  const std::chrono::milliseconds longest_;
  uint64_t heard_ = 0;
  int64_t ticks_ = 0;  // since something was heard
};

}  // namespace wb
