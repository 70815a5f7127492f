#include "scheduler/engine_host/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {
namespace {

class SharedRegion final : public HostRegion {
 public:
  SharedRegion(uint8_t* base, size_t size) : base_(base), size_(size) {}
  ~SharedRegion() override { ::munmap(base_, size_); }
  std::span<uint8_t> bytes() override { return {base_, size_}; }

 private:
  uint8_t* const base_;
  const size_t size_;
};

// Fewer bytes may fit. Without a descriptor no number of bytes does.
Status NoRoom(size_t bytes) {
  if (errno == EMFILE || errno == ENFILE) {
    return SystemError("Shared memory of " + Quoted(bytes) + " bytes cannot be made", errno);
  }
  return Status(Reason::kNoDeviceFits, "The system has no room for " + Quoted(bytes) +
                                           " bytes of shared memory: " + std::strerror(errno) +
                                           ".");
}

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

bool FixSize([[maybe_unused]] int fd) {
#ifdef __linux__
  return ::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
#else
  return true;  // such memory cannot be resized a second time there
#endif
}

}  // namespace

Result<UniqueFd> MakeSharedMemory(size_t bytes) {
  UniqueFd fd(OpenUnnamed());
  if (!fd.ok() || ::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0 || !FixSize(fd.get())) {
    return NoRoom(bytes);
  }
  return fd;
}

Result<std::unique_ptr<HostRegion>> MapShared(int fd, size_t bytes) {
  struct stat facts {};
  if (fd < 0) {
    return Status(Reason::kMachineFault,
                  "The descriptor of shared memory did not arrive: the process has too many open "
                  "files.");
  }
  if (::fstat(fd, &facts) != 0 || static_cast<uint64_t>(facts.st_size) < bytes) {
    return Status(Reason::kInternal, "The shared memory is smaller than " + Quoted(bytes) +
                                         " bytes, which the dispatch needs.");
  }
  void* base = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) return NoRoom(bytes);
  return std::unique_ptr<HostRegion>(new SharedRegion(static_cast<uint8_t*>(base), bytes));
}

Result<std::unique_ptr<HostRegion>> SharedHostMemory::Map(size_t bytes) {
  const UniqueFd fd = std::move(next_);
  next_ = UniqueFd();
  return MapShared(fd.get(), bytes);
}

}  // namespace wb
