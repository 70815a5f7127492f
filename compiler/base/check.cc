#include "compiler/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace wb {

void CheckFailed(const char* file, int line, const char* what) {
  std::fprintf(stderr, "wasmburst: broken invariant at %s:%d: %s\n", file, line, what);
  std::abort();
}

}  // namespace wb
