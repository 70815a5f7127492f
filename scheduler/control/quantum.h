#pragma once

// Quantum: how much fuel lanes get between two meetings of their group, where a lane that has ended
// its instance takes the next one there. Pure.
//
// Until the quantum is over such a lane idles, so quanta much shorter than an instance keep a group
// busy where lengths differ; but each costs leaving and resuming (H200: nothing for one kernel, 40
// % for another with quanta of 20,000). So they are short only where lengths differ, and as long as
// the instances allow.

#include <algorithm>
#include <cstdint>

namespace wb {

class Quantum {
 public:
  static constexpr uint32_t kLongest = 1u << 20;
  static constexpr uint32_t kShortest = 20'000;
  static constexpr uint32_t kOfDivergent = 1u << 16;  // where lengths are said to differ, at first
  static constexpr double kPerInstance = 24;          // quanta in an instance of average length
  static constexpr double kAlike = 0.25 * 0.25;  // variance over the square of the mean, at most

  // So many instances have used so much together; `squares`: the sum of each one's square.
  void Record(uint64_t instances, uint64_t fuel, double squares) {
    count_ += static_cast<double>(instances);
    sum_ += static_cast<double>(fuel);
    squares_ += squares;
  }

  bool knows() const { return count_ >= 2; }  // how lengths differ
  uint32_t next() const {
    if (!knows()) return kLongest;
    const double mean = sum_ / count_;
    const double variance = squares_ / count_ - mean * mean;
    if (variance <= kAlike * mean * mean) return kLongest;
    return static_cast<uint32_t>(
        std::clamp(mean / kPerInstance, double{kShortest}, double{kLongest}));
  }

 private:
  double count_ = 0, sum_ = 0, squares_ = 0;
};

}  // namespace wb
