#include "scheduler/base/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {
namespace {

int OpenUnnamed() {
#ifdef __linux__
  return ::memfd_create("wasmburst", MFD_CLOEXEC | MFD_ALLOW_SEALING);
#else
  static std::atomic<uint64_t> counter{0};
  const std::string name = "/wb-" + std::to_string(::getpid()) + "-" + std::to_string(++counter);
  const int fd = ::shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (fd >= 0) ::shm_unlink(name.c_str());
  return fd;
#endif
}

#ifdef __linux__
bool Seal(int fd, int seals) { return ::fcntl(fd, F_ADD_SEALS, seals) == 0; }
#endif

}  // namespace

// Fewer bytes may fit. Without a descriptor no number of bytes does.
Status NoSharedMemory(size_t bytes) {
  if (errno == EMFILE || errno == ENFILE) {
    return SystemError("Shared memory of " + Quoted(bytes) + " bytes cannot be made", errno);
  }
  return Status(Reason::kNoDeviceFits, "The system has no room for " + Quoted(bytes) +
                                           " bytes of shared memory: " + std::strerror(errno) +
                                           ".");
}

// Without seals such memory cannot be resized a second time.
Result<UniqueFd> MakeSharedMemory(size_t bytes, LaterSeals later) {
  UniqueFd fd(OpenUnnamed());
  if (!fd.ok() || ::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
    return NoSharedMemory(bytes);
  }
#ifdef __linux__
  const int last = later == LaterSeals::kNone ? F_SEAL_SEAL : 0;
  if (!Seal(fd.get(), F_SEAL_SHRINK | F_SEAL_GROW | last)) return NoSharedMemory(bytes);
#else
  (void)later;
#endif
  return fd;
}

void SealContents([[maybe_unused]] int fd) {
#if defined(__linux__) && defined(F_SEAL_FUTURE_WRITE)
  (void)Seal(fd, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);  // Linux 5.1
#endif
}

}  // namespace wb
