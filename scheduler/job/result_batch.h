#pragma once

// ResultBatch: results that were taken together, and what they come to: they come by the million,
// so code that passes them on does not look at each.
//
// Threads: none of its own; built by one, then handed on.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/abi/lane.h"
#include "scheduler/job/job.h"

namespace wb {

// What a result counts for in a job's limit: its values and outputs.
uint64_t ResultBytes(const InstanceResult& result);
// ... and of this process's memory.
uint64_t HeldBytes(const InstanceResult& result);
// The most that HeldBytes may say of a result of this program: reads of constant length hold that,
// others, and the streams of a module that has some, may use all that the job's limit of outputs
// allows.
uint64_t MostHeldBytes(const EncodedProgram& program, const std::vector<Step>& steps,
                       uint32_t max_output_bytes);

// Instances [first, first + count) that ended alike without a launch: neither values nor outputs
// nor fuel. However many they are, they take no room.
struct EndedRange {
  uint64_t first = 0;
  uint64_t count = 0;
  uint32_t attempt = 1;
  End end = End::kResultsLimit;
};
// The results of `count` of them from the instance `first` on.
std::vector<InstanceResult> ResultsOf(const EndedRange& range, uint64_t first, uint64_t count);

class ResultBatch {
 public:
  ResultBatch() = default;
  // Implicit, for callers with few.
  ResultBatch(std::vector<InstanceResult> results);

  void Reserve(size_t results) { results_.reserve(results); }
  void Add(InstanceResult result);
  // Without what was reserved for results that did not come.
  std::vector<InstanceResult> Take() && {
    if (results_.capacity() / 2 > results_.size()) results_.shrink_to_fit();
    return std::move(results_);
  }

  const std::vector<InstanceResult>& results() const { return results_; }
  size_t size() const { return results_.size(); }
  bool empty() const { return results_.empty(); }

  uint64_t count(End end) const { return by_end_[static_cast<size_t>(end)]; }
  uint64_t fuel() const { return fuel_; }
  double fuel_squares() const { return fuel_squares_; }
  uint64_t bytes() const { return bytes_; }            // as ResultBytes
  uint64_t held_bytes() const { return held_bytes_; }  // as HeldBytes
  uint64_t largest() const { return largest_; }        // of its results, as HeldBytes

 private:
  void Count(const InstanceResult& result);

  std::vector<InstanceResult> results_;
  std::array<uint64_t, kEnds> by_end_{};
  uint64_t fuel_ = 0;
  double fuel_squares_ = 0;
  uint64_t bytes_ = 0;
  uint64_t held_bytes_ = 0;
  uint64_t largest_ = 0;
};

}  // namespace wb
