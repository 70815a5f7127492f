#include "scheduler/base/unique_fd.h"

#include <unistd.h>

namespace wb {

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace wb
