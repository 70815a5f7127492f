#pragma once

// Whether a stream flows fast enough to keep its place, of which there are few. Pure.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace wb {

// As for uploads.
struct PaceRule {
  std::chrono::nanoseconds patience = std::chrono::seconds(30);
  size_t least_bytes = 64 << 10;                  // in that time
  uint64_t bytes_per_second = uint64_t{1} << 20;  // over the whole, beyond that time
};
// "less than [65536] bytes in [30000] ms, or less than [1048576] a second in all".
inline std::string WordsOf(const PaceRule& rule) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(rule.patience).count();
  return "less than [" + std::to_string(rule.least_bytes) + "] bytes in [" + std::to_string(ms) +
         "] ms, or less than [" + std::to_string(rule.bytes_per_second) + "] a second in all";
}

// Of a stream that comes.
class StreamPace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit StreamPace(Time now, const PaceRule& rule = {})
      : rule_(rule), start_(now), progress_(now) {}

  void Came(size_t bytes, Time now) {
    all_ += bytes;
    since_progress_ += bytes;
    if (since_progress_ < rule_.least_bytes) return;
    since_progress_ = 0;
    progress_ = now;
  }

  // It has paused for too long, or would take too long for what it has brought.
  bool IsTooSlow(Time now) const {
    const std::chrono::seconds earned(all_ / rule_.bytes_per_second);
    return now - progress_ >= rule_.patience || now - start_ >= rule_.patience + earned;
  }

 private:
  const PaceRule rule_;
  const Time start_;
  Time progress_;
  uint64_t all_ = 0;
  size_t since_progress_ = 0;
};

// Of a stream that is sent. Time passes for it only while a message is on its way to the client, so
// the sender may take its own time.
class SendingPace {
 public:
  using Time = StreamPace::Time;

  explicit SendingPace(const PaceRule& rule) : rule_(rule), pace_(Time(), rule) {}

  void Begin(Time now) { began_ = now; }  // a message is on its way
  void End(size_t bytes, Time now) {      // the client has taken it
    spent_ += now - began_;
    pace_.Came(bytes, spent_);
  }
  // While a message is on its way.
  bool IsTooSlow(Time now) const { return pace_.IsTooSlow(spent_ + (now - began_)); }
  const PaceRule& rule() const { return rule_; }

 private:
  const PaceRule rule_;
  StreamPace pace_;  // in the time that messages took
  Time spent_;
  Time began_;
};

}  // namespace wb
