#pragma once

// IdleMemory: memory that malloc holds free goes back to the system. After floods of calls and
// after large jobs glibc keeps gigabytes that nothing uses. Elsewhere it does nothing.

#include <chrono>

namespace wb {

class IdleMemory {
 public:
  // Called every second or so, by one thread. Acts at most every ten seconds, and only where there
  // is much to give.
  void GiveBack();

 private:
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace wb
