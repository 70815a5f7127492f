#include "scheduler/base/disk_file.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {

DiskFile::DiskFile(const std::string& path, int flags)
    : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}

DiskFile::~DiskFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::optional<struct stat> DiskFile::Facts() const {
  struct stat facts {};
  if (!ok() || ::fstat(fd_, &facts) != 0) return std::nullopt;
  if (!S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid()) return std::nullopt;
  return facts;
}

std::optional<size_t> DiskFile::Read(std::span<uint8_t> out) const {
  size_t at = 0;
  while (at < out.size()) {
    const ssize_t got = ::read(fd_, out.data() + at, out.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    at += static_cast<size_t>(got);
  }
  return at;
}

bool DiskFile::Write(ByteView bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return true;
}

bool DiskFile::Flush() const { return ::fsync(fd_) == 0; }

Status MakePrivateFolder(const std::string& path, const std::string& what) {
  const std::vector<Detail> details = {{"path", path}};
  const std::string it = what + " " + Quoted(path);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return SystemError(it + " cannot be made", errno, details);
  }
  const DiskFile folder(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  struct stat facts {};
  if (!folder.ok() && std::filesystem::is_symlink(path, error)) {
    return Status(Reason::kIoError,
                  it + " is a symbolic link, which is not followed. Name the folder itself.",
                  details);
  }
  if (!folder.ok() || ::fstat(folder.fd(), &facts) != 0) {
    return SystemError(it + " cannot be opened", errno, details);
  }
  if (facts.st_uid != ::geteuid()) {
    return Status(Reason::kIoError,
                  it + " belongs to user " + Quoted(uint64_t{facts.st_uid}) +
                      ". It must belong to the user that this daemon runs as: name another one.",
                  details);
  }
  if ((facts.st_mode & 077) != 0 && ::fchmod(folder.fd(), 0700) != 0) {
    return SystemError(it + " cannot be closed to others", errno, details);
  }
  return {};
}

bool WriteFlushed(const std::string& path, int flags, const std::vector<ByteView>& parts) {
  const DiskFile file(path, flags | O_WRONLY | O_CREAT | O_NOFOLLOW);
  if (!file.ok()) return false;
  for (ByteView part : parts) {
    if (!file.Write(part)) return false;
  }
  return file.Flush();
}

bool FlushFolder(const std::string& path) {
  const DiskFile folder(path, O_RDONLY | O_DIRECTORY);
  return folder.ok() && folder.Flush();
}

}  // namespace wb
