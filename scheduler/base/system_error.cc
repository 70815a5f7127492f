#include "scheduler/base/system_error.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

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

bool HasDescriptors() {
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  close(fd);
  return true;
}

}  // namespace wb
