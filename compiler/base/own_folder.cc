#include "compiler/base/own_folder.h"

#include <system_error>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace wb {

std::filesystem::path OwnFolder() {
#ifdef __APPLE__
  char path[4096];
  uint32_t size = sizeof(path);
  if (_NSGetExecutablePath(path, &size) != 0) return {};
  return std::filesystem::path(path).parent_path();
#else
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
#endif
}

}  // namespace wb
