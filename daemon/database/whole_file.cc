#include "daemon/database/whole_file.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include <sys/stat.h>

#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {

Status FileFailed(const std::string& path, const char* what) {
  const int error = errno;
  if (error == ENOSPC || error == EDQUOT) {
    return Status(Reason::kNoSpace, "The disk of the file " + Quoted(path) + " is full.",
                  {{"path", path}});
  }
  return SystemError("The file " + Quoted(path) + " " + what, error, {{"path", path}});
}

Result<Bytes> ReadWholeFile(const std::string& path, size_t most) {
  const DiskFile file(path, kReadFlags);
  const auto facts = file.Facts();
  if (!facts) return FileFailed(path, "cannot be opened");
  Bytes bytes(std::min(static_cast<size_t>(facts->st_size), most));
  const std::optional<size_t> size = file.Read(bytes);
  if (!size) return FileFailed(path, "cannot be read");
  bytes.resize(*size);
  return bytes;
}

}  // namespace wb
