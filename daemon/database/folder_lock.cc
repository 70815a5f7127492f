#include "daemon/database/folder_lock.h"

#include <sys/file.h>

#include <cerrno>

#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {

FolderLock::FolderLock(const std::string& path) : file_(path, O_RDWR | O_CREAT | O_NOFOLLOW) {}

Result<std::unique_ptr<FolderLock>> FolderLock::Take(const std::string& folder) {
  WB_TRY(MakeLastingFolder(folder, "The state folder"));
  const std::string path = folder + "/LOCK";
  std::unique_ptr<FolderLock> lock(new FolderLock(path));
  if (!lock->file_.ok()) {
    return SystemError("The file " + Quoted(path) + " cannot be opened", errno, {{"path", path}});
  }
  if (::flock(lock->file_.fd(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) {
    return SystemError("The file " + Quoted(path) + " cannot be locked", errno, {{"path", path}});
  }
  return Status(Reason::kConfigInvalid,
                "Another daemon uses the state folder " + Quoted(folder) +
                    ". Give each its own (server.state_directory, or $XDG_STATE_HOME).",
                {{"field", "server.state_directory"}, {"path", folder}});
}

}  // namespace wb
