#pragma once

// BuildTimes: how long a target's compiler is likely to work on a kernel text, by what it took for
// others before. Pure; one thread.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "scheduler/devices/kernel_build.h"

namespace wb {

class BuildTimes {
 public:
  // Seconds for each byte of a target that was never timed: clang's and NVRTC's on common machines
  // (bench/README.md). Too long a guess leaves a job on the interpreter a little longer. Too short
  // a guess takes its processors for nothing.
  static constexpr double kUsual = 1e-5;
  static constexpr double kUsualQuick = 2e-6;
  static constexpr double kUsualBest = 1.5e-5;
  static constexpr double kLeast = 0.05;  // a process is started, headers are read
  // Of the last build in what is expected of the next.
  static constexpr double kLast = 0.5;

  void Record(const std::string& target, Effort effort, uint64_t bytes, double seconds) {
    if (bytes == 0) return;
    const double now = seconds / static_cast<double>(bytes);
    const auto [known, is_new] = per_byte_.emplace(std::pair(target, effort), now);
    if (!is_new) known->second += kLast * (now - known->second);
  }

  bool Knows(const std::string& target, Effort effort) const {
    return per_byte_.count({target, effort}) > 0;
  }

  double Expect(const std::string& target, Effort effort, uint64_t bytes) const {
    const auto known = per_byte_.find({target, effort});
    const double per_byte = known == per_byte_.end() ? UsualFor(effort) : known->second;
    return std::max(kLeast, per_byte * static_cast<double>(bytes));
  }

 private:
  static double UsualFor(Effort effort) {
    switch (effort) {
      case Effort::kQuick: return kUsualQuick;
      case Effort::kFull: return kUsual;
      case Effort::kBest: return kUsualBest;
    }
    return kUsual;
  }

  std::map<std::pair<std::string, Effort>, double> per_byte_;  // a machine has few targets
};

}  // namespace wb
