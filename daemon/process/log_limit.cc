#include "daemon/process/log_limit.h"

#include <algorithm>
#include <utility>

namespace wb {

bool LogLimit::Take(std::string_view kind, TimePoint now) {
  if (per_second_ == 0) return true;
  const double most = static_cast<double>(per_second_ * kBurstSeconds);
  auto bucket = buckets_.find(kind);
  if (bucket == buckets_.end()) {
    bucket = buckets_.emplace(kind, Bucket{most, now, 0}).first;
  }
  Bucket& found = bucket->second;
  const std::chrono::duration<double> passed = now - found.filled;
  found.lines = std::min(most, found.lines + passed.count() * static_cast<double>(per_second_));
  found.filled = now;
  if (found.lines < 1) {
    ++found.left_out;
    return false;
  }
  found.lines -= 1;
  return true;
}

std::vector<LogLimit::LeftOut> LogLimit::TakeLeftOut() {
  std::vector<LeftOut> left_out;
  for (auto& [kind, bucket] : buckets_) {
    const uint64_t lines = std::exchange(bucket.left_out, 0);
    if (lines > 0) left_out.push_back({kind, lines});
  }
  return left_out;
}

}  // namespace wb
