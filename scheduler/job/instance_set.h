#pragma once

// InstanceSet: some of a job's instances. Pure.
//
// Kept as disjoint ranges in order: instances finish nearly in the order in which they started, so
// a set of 2^40 has few ranges.

#include <cstdint>
#include <map>
#include <vector>

namespace wb {

// Instances [first, first + count).
struct InstanceRange {
  uint64_t first = 0;
  uint64_t count = 0;
  bool operator==(const InstanceRange&) const = default;
};

class InstanceSet {
 public:
  // Ranges that overlap or touch join. What is beyond the last number is left out.
  void Add(uint64_t first, uint64_t count);
  bool Contains(uint64_t instance) const;
  uint64_t count() const { return count_; }   // instances
  uint64_t end() const;                       // after the highest; 0: empty
  std::vector<InstanceRange> ranges() const;  // ascending
  // Those below `end` that are not in the set, ascending.
  std::vector<InstanceRange> Missing(uint64_t end) const;

 private:
  std::map<uint64_t, uint64_t> end_of_;  // each range, by its first instance; none touch
  uint64_t count_ = 0;
};

}  // namespace wb
