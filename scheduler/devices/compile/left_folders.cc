#include "scheduler/devices/compile/left_folders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "scheduler/base/disk_file.h"
#include "scheduler/devices/compile/private_folder.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr size_t kRandomCharacters = 6;  // mkdtemp's
constexpr time_t kOldSeconds = 24 * 3600;

bool IsNameOfOne(const std::string& name) {
  return name.size() == PrivateFolder::kPrefix.size() + kRandomCharacters &&
         name.starts_with(PrivateFolder::kPrefix);
}

// A folder that only this user can enter.
bool IsOurs(const DiskFile& folder, struct stat* facts) {
  return folder.ok() && ::fstat(folder.fd(), facts) == 0 && facts->st_uid == ::geteuid() &&
         (facts->st_mode & 077) == 0;
}

// The lock is kept until the folder is gone.
bool RemoveIfLeft(const std::string& path) {
  struct stat facts {};
  if (!IsOurs(DiskFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), &facts)) return false;
  const DiskFile lock(path + "/" + std::string(PrivateFolder::kLock), O_RDWR | O_NOFOLLOW);
  if (!lock.ok() && errno != ENOENT) return false;
  if (lock.ok() && ::flock(lock.fd(), LOCK_EX | LOCK_NB) != 0) return false;
  if (!lock.ok() && ::time(nullptr) - facts.st_mtime < kOldSeconds) return false;
  std::error_code error;
  fs::remove_all(path, error);
  return !error;
}

}  // namespace

uint64_t RemoveLeftFolders(const std::string& parent) {
  std::error_code error;
  const fs::path base = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
  std::vector<std::string> paths;
  fs::directory_iterator entry(base, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (IsNameOfOne(entry->path().filename().string())) paths.push_back(entry->path().string());
  }
  uint64_t removed = 0;
  for (const std::string& path : paths) removed += RemoveIfLeft(path) ? 1 : 0;
  return removed;
}

}  // namespace wb
