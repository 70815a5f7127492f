#include "daemon/process/idle_memory.h"

#include <cstddef>
#include <fstream>
#ifdef __GLIBC__
#include <malloc.h>
#include <unistd.h>
#endif

#include "daemon/process/log.h"

namespace wb {

bool TrimRule::IsDue(TimePoint now) {
  if (now < next_) return false;
  next_ = now + kPeriod;
  return true;
}

#ifdef __GLIBC__
namespace {

// In memory, and of no file and not shared.
uint64_t OwnBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0, shared = 0;
  if (!(file >> size >> resident >> shared) || resident < shared) return 0;
  return (resident - shared) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Chunks that malloc has free count only as far as they are in memory.
uint64_t UnusedBytes(uint64_t own) {
  const struct mallinfo2 facts = ::mallinfo2();
  const uint64_t used = facts.uordblks + facts.hblkhd;
  return own > used ? own - used : 0;
}

}  // namespace

void IdleMemory::GiveBack() {
  if (!rule_.IsDue(std::chrono::steady_clock::now())) return;
  const uint64_t own = OwnBytes();
  const uint64_t unused = own < TrimRule::kMuch ? own : UnusedBytes(own);
  rule_.NoteLeft(unused);
  if (!rule_.IsWorthIt(unused)) return;
  ::malloc_trim(0);
  const uint64_t after = OwnBytes();
  rule_.NoteTrimmed(UnusedBytes(after));
  Log(LogLevel::kDebug, "memory_given_back",
      {{"bytes", std::to_string(own - (after < own ? after : own))}});
}
#else
void IdleMemory::GiveBack() {}
#endif

}  // namespace wb
