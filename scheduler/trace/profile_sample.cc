#include "scheduler/trace/profile_sample.h"

#include <algorithm>

namespace wb {

// The middle one of each of `wanted` equal parts: the first instances of a job are often unlike the
// others.
std::vector<uint64_t> SampleOf(uint64_t instances, uint64_t wanted) {
  const uint64_t count = std::min(instances, wanted);
  std::vector<uint64_t> sample;
  for (uint64_t i = 0; i < count; ++i) sample.push_back((2 * i + 1) * instances / (2 * count));
  return sample;
}

}  // namespace wb
