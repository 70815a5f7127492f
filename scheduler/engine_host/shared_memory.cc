#include "scheduler/engine_host/shared_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <string>
#include <utility>

#include "scheduler/base/quoted.h"

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

Result<std::unique_ptr<HostRegion>> Map(int fd, size_t bytes, int protection) {
  struct stat facts {};
  if (fd < 0) {
    return Status(Reason::kMachineFault,
                  "The descriptor of shared memory did not arrive: the process has too many open "
                  "files.");
  }
  if (::fstat(fd, &facts) != 0 || static_cast<uint64_t>(facts.st_size) < bytes) {
    return Status(Reason::kInternal, "The shared memory is smaller than " + Quoted(bytes) +
                                         " bytes, which it is to have.");
  }
  void* base = ::mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) return NoSharedMemory(bytes);
  return std::unique_ptr<HostRegion>(new SharedRegion(static_cast<uint8_t*>(base), bytes));
}

}  // namespace

Result<std::unique_ptr<HostRegion>> MapShared(int fd, size_t bytes) {
  return Map(fd, bytes, PROT_READ | PROT_WRITE);
}

Result<std::unique_ptr<HostRegion>> MapSharedToRead(int fd, size_t bytes) {
  return Map(fd, bytes, PROT_READ);
}

Result<std::unique_ptr<HostRegion>> SharedHostMemory::Map(size_t bytes) {
  const UniqueFd fd = std::move(next_);
  next_ = UniqueFd();
  return MapShared(fd.get(), bytes);
}

}  // namespace wb
