#pragma once

// JobIds: new ids of jobs, in the order of their creation. Pure; its owner locks.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "daemon/store/names.h"

namespace wb {

class JobIds {
 public:
  // Never earlier than the last one, so that ids sort by creation whatever the clock does.
  std::string New(int64_t unix_ns) {
    last_ms_ = std::max(static_cast<uint64_t>(unix_ns) / 1'000'000, last_ms_ + 1);
    return MakeJobId(last_ms_, static_cast<uint16_t>(random_()), random_());
  }
  void Saw(const std::string& id) { last_ms_ = std::max(last_ms_, JobIdTime(id)); }

 private:
  uint64_t last_ms_ = 0;
  std::mt19937_64 random_{std::random_device{}()};
};

}  // namespace wb
