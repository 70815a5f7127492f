#include "daemon/idle_memory.h"

#include <cstddef>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace wb {

void IdleMemory::GiveBack() {
#ifdef __GLIBC__
  constexpr size_t kMuch = size_t{64} << 20;
  constexpr std::chrono::seconds kPeriod{10};
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kPeriod) return;
  last_ = now;
  if (mallinfo2().fordblks >= kMuch) malloc_trim(0);
#endif
}

}  // namespace wb
