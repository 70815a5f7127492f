#pragma once

// While it lives this process can open no more files.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "compiler/base/check.h"

namespace wb::test {

class FewDescriptors {
 public:
  FewDescriptors() {
    WB_CHECK(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    const int free = ::open("/dev/null", O_RDONLY | O_CLOEXEC);  // the lowest that is free
    WB_CHECK(free >= 0);
    ::close(free);
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(free);
    WB_CHECK(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

}  // namespace wb::test
