#include "scheduler/devices/compile/private_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "scheduler/base/system_error.h"

namespace wb {

Result<PrivateFolder> PrivateFolder::Create(const std::string& parent) {
  std::error_code error;
  const std::filesystem::path base =
      parent.empty() ? std::filesystem::temp_directory_path(error) : std::filesystem::path(parent);
  std::string name(kPrefix);
  name.append("XXXXXX");
  std::string path = std::filesystem::absolute(base / name, error).string();
  if (error || mkdtemp(path.data()) == nullptr) {  // which makes it 0700
    return SystemError(
        "The compiler's working folder could not be created in [" + base.string() + "]",
        error ? error.value() : errno);
  }
  PrivateFolder folder(path);
  WB_TRY(folder.Lock());
  return folder;
}

// The lock file never has its name without being locked.
Status PrivateFolder::Lock() {
  const std::string path = path_ + "/" + std::string(kLock);
  const std::string fresh = path + ".new";
  auto file = std::make_unique<const DiskFile>(fresh, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (!file->ok() || flock(file->fd(), LOCK_EX | LOCK_NB) != 0 ||
      rename(fresh.c_str(), path.c_str()) != 0) {
    return SystemError("The file [" + path + "] could not be made and locked", errno);
  }
  lock_ = std::move(file);
  return {};
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;  // nothing is left to do about a folder that cannot be removed
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Status PrivateFolder::Write(const std::string& name, std::string_view text) const {
  const std::string path = path_ + "/" + name;
  const DiskFile file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  if (file.ok() && file.Write(AsBytes(text))) return {};
  return SystemError("The file [" + path + "] could not be written", errno);
}

Result<Bytes> PrivateFolder::Read(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  const DiskFile file(path, kReadFlags);
  if (!file.ok()) return SystemError("The file [" + path + "] could not be read", errno);
  const std::optional<struct stat> facts = file.Facts();
  if (!facts) return Status(Reason::kIoError, "The file [" + path + "] is no plain file.");
  Bytes bytes(static_cast<size_t>(facts->st_size));
  const std::optional<size_t> size = file.Read(bytes);
  if (!size) return SystemError("The file [" + path + "] could not be read", errno);
  bytes.resize(*size);
  return bytes;
}

}  // namespace wb
