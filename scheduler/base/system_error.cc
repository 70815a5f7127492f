#include "scheduler/base/system_error.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "scheduler/base/disk_file.h"

namespace wb {

bool IsPassing(int error) {
  switch (error) {
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOBUFS:
    case EAGAIN:
    case ENOSPC:
    case EDQUOT: return true;
    default: return false;
  }
}

Status SystemError(const std::string& what, int error, std::vector<Detail> details) {
  return Status(IsPassing(error) ? Reason::kMachineFault : Reason::kIoError,
                what + ": " + std::strerror(error) + ".", std::move(details));
}

bool HasDescriptors() { return DiskFile("/dev/null", O_RDONLY).ok(); }

}  // namespace wb
