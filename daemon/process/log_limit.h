#pragma once

// LogLimit: how many lines of each kind a log takes. Pure; one thread at a time.

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

class LogLimit {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  static constexpr uint64_t kBurstSeconds = 10;  // of lines that may come at once

  explicit LogLimit(uint64_t lines_per_second) : per_second_(lines_per_second) {}  // 0: no limit

  // Whether a line of this kind may be written; if not it is counted. Kinds are few and fixed.
  bool Take(std::string_view kind, TimePoint now);

  struct LeftOut {
    std::string kind;
    uint64_t lines = 0;
  };
  // What was left out since the last call.
  std::vector<LeftOut> TakeLeftOut();

 private:
  struct Bucket {
    double lines = 0;  // that may come now
    TimePoint filled;
    uint64_t left_out = 0;
  };

  const uint64_t per_second_;
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace wb
