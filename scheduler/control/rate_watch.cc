#include "scheduler/control/rate_watch.h"

#include <algorithm>

namespace wb {
namespace {

constexpr double kUsualRateShare = 1.0 / 16;  // share of the last row in what is usual

}  // namespace

void RateWatch::Record(const LaunchTally& row) {
  launches_ += row.launches();
  if (!row.IsSure()) return;
  const double rate = row.rate();
  if (usual_rate_ == 0) usual_rate_ = rate;
  const bool is_low = rate < usual_rate_ * kFallen;
  low_rows_ = is_low ? low_rows_ + 1 : 0;
  if (!is_low) usual_rate_ += (rate - usual_rate_) * kUsualRateShare;
}

void RateWatch::Forget() {
  usual_rate_ = 0;
  launches_ = low_rows_ = 0;
}

void RateWatch::RecordSearch() {
  patience_ = std::min(patience_ * kPatienceGrowth, kLongestPatience);
}

}  // namespace wb
