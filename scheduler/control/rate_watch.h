#pragma once

// RateWatch: the usual rate of a pipeline's launches, whether it has fallen by much, and when a
// search for a better occupancy may begin. Pure.
//
// Searches begin at growing distances, so that they cost a bounded time however a guest behaves.

#include <cstdint>

#include "scheduler/control/launch_tally.h"

namespace wb {

class RateWatch {
 public:
  static constexpr double kFallen = 0.6;         // of the usual rate
  static constexpr uint32_t kFallenFor = 8;      // rows, one after the other
  static constexpr uint32_t kFirstPatience = 2;  // launches before the first search
  static constexpr uint32_t kPatienceGrowth = 8;
  static constexpr uint32_t kLongestPatience = 4096;

  // A row of launches that ran abreast, with the occupancy that is settled on.
  void Record(const LaunchTally& row);
  // Those to come have another number of lanes or another occupancy: what is usual is not known.
  void Forget();

  bool HasFallen() const { return low_rows_ >= kFallenFor; }
  bool MaySearch() const { return launches_ >= patience_; }
  void RecordSearch();  // one begins

 private:
  double usual_rate_ = 0;  // 0: not known
  uint32_t launches_ = 0;
  uint32_t low_rows_ = 0;  // one after the other, at a much lower rate
  uint32_t patience_ = kFirstPatience;
};

}  // namespace wb
