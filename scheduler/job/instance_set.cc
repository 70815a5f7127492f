#include "scheduler/job/instance_set.h"

#include <algorithm>
#include <iterator>

namespace wb {

void InstanceSet::Add(uint64_t first, uint64_t count) {
  uint64_t end = first + std::min(count, ~uint64_t{0} - first);
  if (end == first) return;
  auto next = end_of_.upper_bound(first);
  if (next != end_of_.begin() && std::prev(next)->second >= first) {
    --next;
    first = next->first;
  }
  while (next != end_of_.end() && next->first <= end) {
    end = std::max(end, next->second);
    count_ -= next->second - next->first;
    next = end_of_.erase(next);
  }
  end_of_.emplace_hint(next, first, end);
  count_ += end - first;
}

bool InstanceSet::Contains(uint64_t instance) const {
  const auto after = end_of_.upper_bound(instance);
  return after != end_of_.begin() && std::prev(after)->second > instance;
}

uint64_t InstanceSet::end() const { return end_of_.empty() ? 0 : end_of_.rbegin()->second; }

std::vector<InstanceRange> InstanceSet::ranges() const {
  std::vector<InstanceRange> ranges;
  ranges.reserve(end_of_.size());
  for (const auto& [first, end] : end_of_) ranges.push_back({first, end - first});
  return ranges;
}

std::vector<InstanceRange> InstanceSet::Missing(uint64_t end) const {
  std::vector<InstanceRange> missing;
  uint64_t next = 0;
  for (const auto& [first, after] : end_of_) {
    if (first >= end) break;
    if (first > next) missing.push_back({next, first - next});
    next = after;
  }
  if (next < end) missing.push_back({next, end - next});
  return missing;
}

}  // namespace wb
