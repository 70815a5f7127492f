#include "scheduler/base/disk_file.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {

namespace {

// A file system may not know the call.
bool CannotBeFlushed(int error) { return error == EINVAL || error == EROFS || error == ENOTSUP; }

// As mkdir -p.
void MakeParents(const std::filesystem::path& path, const DiskCalls& disk) {
  const std::filesystem::path parent = path.parent_path();
  std::error_code error;
  if (parent.empty() || parent == path || std::filesystem::exists(parent, error)) return;
  MakeParents(parent, disk);
  (void)disk.MakeFolder(parent.string(), 0777);
}

// Whether the name of a folder is on a disk for us to flush: those of mounts are nobody's, and
// folders above may be of others.
bool IsNamedByThisUser(const std::filesystem::path& folder) {
  struct stat facts {};
  struct stat above {};
  return ::stat(folder.c_str(), &facts) == 0 && ::stat(folder.parent_path().c_str(), &above) == 0 &&
         facts.st_dev == above.st_dev && above.st_uid == ::geteuid();
}

}  // namespace

DiskFile::DiskFile(const std::string& path, int flags, const DiskCalls& disk)
    : disk_(disk), fd_(disk.Open(path, flags)) {}

DiskFile::~DiskFile() {
  if (fd_ >= 0) (void)disk_.Close(fd_);
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
    const ssize_t put = disk_.Write(fd_, bytes);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return true;
}

bool DiskFile::Flush() const { return disk_.Flush(fd_) == 0; }

Status MakePrivateFolder(const std::string& path, const std::string& what, const DiskCalls& disk) {
  const std::vector<Detail> details = {{"path", path}};
  const std::string it = what + " " + Quoted(path);
  MakeParents(path, disk);
  if (disk.MakeFolder(path, 0700) != 0 && errno != EEXIST) {
    return SystemError(it + " cannot be made", errno, details);
  }
  const DiskFile folder(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  struct stat facts {};
  std::error_code error;
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

// Also those that are there already: an earlier daemon may have ended before it had flushed them.
// After a failed flush the system may take the names for flushed, so they are made anew next time.
Status MakeLastingFolder(const std::string& path, const std::string& what, const DiskCalls& disk) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(path, error);
  std::vector<std::string> made;
  for (auto above = folder; !above.empty() && !std::filesystem::exists(above, error);
       above = above.parent_path()) {
    made.push_back(above.string());
  }
  WB_TRY(MakePrivateFolder(path, what, disk));
  while (folder.has_relative_path() && IsNamedByThisUser(folder)) {
    folder = folder.parent_path();
    if (FlushFolder(folder.string(), disk) || CannotBeFlushed(errno)) continue;
    Status failed = SystemError("The folder " + Quoted(folder.string()) + " cannot be flushed",
                                errno, {{"path", folder.string()}});
    for (const std::string& one : made) (void)disk.RemoveFolder(one);
    return failed;
  }
  return {};
}

bool WriteFlushed(const std::string& path, int flags, const std::vector<ByteView>& parts,
                  const DiskCalls& disk) {
  const DiskFile file(path, flags | O_WRONLY | O_CREAT | O_NOFOLLOW, disk);
  if (!file.ok()) return false;
  for (ByteView part : parts) {
    if (!file.Write(part)) return false;
  }
  return file.Flush();
}

bool FlushFolder(const std::string& path, const DiskCalls& disk) {
  const DiskFile folder(path, O_RDONLY | O_DIRECTORY, disk);
  return folder.ok() && folder.Flush();
}

}  // namespace wb
