#pragma once

// IdleMemory: memory that malloc holds free goes back to the system. After floods of calls and
// after large jobs glibc keeps gigabytes that nothing uses. Elsewhere it does nothing.

#include <chrono>
#include <cstdint>

namespace wb {

// When giving back is worth it. Pure.
class TrimRule {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  static constexpr uint64_t kMuch = uint64_t{64} << 20;
  static constexpr std::chrono::seconds kPeriod{10};

  // Memory is looked at so often at most: counting what is free takes malloc's locks.
  bool IsDue(TimePoint now);
  // `unused`: bytes that the process holds and does not use.
  bool IsWorthIt(uint64_t unused) const { return unused >= stays_ + kMuch; }
  // After it: so much stays between what is in use, and trying again would not free it.
  void NoteTrimmed(uint64_t unused) { stays_ = unused; }
  void NoteLeft(uint64_t unused) { stays_ = unused < stays_ ? unused : stays_; }

 private:
  TimePoint next_{};
  uint64_t stays_ = 0;
};

class IdleMemory {
 public:
  void GiveBack();  // called every second or so, by one thread

 private:
  TrimRule rule_;
};

}  // namespace wb
