#include "daemon/state_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace wb {
namespace {

constexpr size_t kMostBytes = 64 << 10;

class File {
 public:
  File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

Status Failed(const std::string& path, const std::string& what) {
  return Status(Reason::kIoError, "The file [" + path + "] " + what + ".", {{"path", path}});
}

std::string Because(const char* what) {
  return std::string(what) + ": " + std::system_category().message(errno);
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    text.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

bool WriteWhole(const std::string& path, std::string_view text) {
  const File file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  return file.fd() >= 0 && WriteAll(file.fd(), text) && ::fsync(file.fd()) == 0;
}

}  // namespace

Result<std::optional<std::string>> ReadStateFile(const std::string& path) {
  const File file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (file.fd() < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::optional<std::string>();
  if (file.fd() < 0) return Failed(path, Because("cannot be opened"));
  struct stat facts {};
  if (::fstat(file.fd(), &facts) != 0) return Failed(path, Because("cannot be read"));
  if (!S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid()) {
    return Failed(path, "is not a plain file of this user");
  }
  std::string text(kMostBytes + 1, '\0');
  size_t at = 0;
  while (at < text.size()) {
    const ssize_t got = ::read(file.fd(), text.data() + at, text.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed(path, Because("cannot be read"));
    if (got == 0) break;
    at += static_cast<size_t>(got);
  }
  if (at > kMostBytes) return Failed(path, "is too large to be ours");
  text.resize(at);
  return std::optional<std::string>(std::move(text));
}

Status WriteStateFile(const std::string& folder, const std::string& name, std::string_view text) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return Failed(folder, Because("cannot be made a folder"));
  }
  const std::string path = folder + "/" + name;
  const std::string fresh = path + ".new";
  if (!WriteWhole(fresh, text)) return Failed(fresh, Because("cannot be written"));
  if (::rename(fresh.c_str(), path.c_str()) != 0) {
    return Failed(path, Because("cannot be replaced"));
  }
  const File parent(folder, O_RDONLY);
  if (parent.fd() < 0 || ::fsync(parent.fd()) != 0) {
    return Failed(folder, Because("cannot be flushed"));
  }
  return {};
}

}  // namespace wb
