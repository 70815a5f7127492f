#include "client/cli/output/backup_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

namespace wb::cli {
namespace {

Status Failed(const std::string& path, const std::string& what) {
  const int error = errno;
  return Status(error == ENOSPC || error == EDQUOT ? Reason::kNoSpace : Reason::kIoError,
                "The file [" + path + "] cannot be " + what + ": " + std::strerror(error) + ".",
                {{"path", path}});
}

Status IsThere(const std::string& path) {
  return Status(Reason::kInvalidArgument,
                "The file [" + path + "] is there already. Name a new one, or remove it.",
                {{"path", path}});
}

bool FlushFolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool flushed = fd >= 0 && ::fsync(fd) == 0;
  if (fd >= 0) ::close(fd);
  return flushed;
}

}  // namespace

Result<std::unique_ptr<BackupFile>> BackupFile::Create(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) == 0) return IsThere(path);
  std::string fresh = path + "." + std::to_string(::getpid()) + ".part";
  const int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return Failed(fresh, "made");
  return std::unique_ptr<BackupFile>(new BackupFile(path, std::move(fresh), fd));
}

BackupFile::~BackupFile() {
  ::close(fd_);
  if (!fresh_.empty()) ::unlink(fresh_.c_str());
}

Status BackupFile::Add(std::string_view bytes) {
  digest_.Add(AsBytes(bytes));
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Failed(fresh_, "written");
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return {};
}

Status BackupFile::Finish(const std::string& sha256) {
  const std::string got = digest_.Finish().Hex();
  if (sha256 != got) {
    return Status(Reason::kBlobCorrupt, "The bytes that came have the digest [" + got +
                                            "], and the daemon said [" + sha256 +
                                            "]. Nothing was kept; make the backup again.");
  }
  if (::fsync(fd_) != 0) return Failed(fresh_, "flushed");
  // Not over a file that came meanwhile, where the file system can tell.
  if (::link(fresh_.c_str(), path_.c_str()) == 0) {
    ::unlink(fresh_.c_str());
  } else if (errno == EEXIST) {
    return IsThere(path_);
  } else if (::rename(fresh_.c_str(), path_.c_str()) != 0) {
    return Failed(path_, "named");
  }
  fresh_.clear();
  return FlushFolderOf(path_) ? Status() : Failed(path_, "flushed");
}

}  // namespace wb::cli
