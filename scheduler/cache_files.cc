#include "scheduler/cache_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 30;
constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This directory holds compiled kernels; wasmburstd makes them again when they are gone.\n";

class File {
 public:
  File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

// Not blocking, so that a named pipe in the file's place does not hold us up.
constexpr int kReadFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

bool IsOurFile(const File& file, struct stat* facts) {
  return file.ok() && ::fstat(file.fd(), facts) == 0 && S_ISREG(facts->st_mode) &&
         facts->st_uid == ::geteuid() && static_cast<uint64_t>(facts->st_size) <= kMaxFileBytes;
}

bool ReadAll(const File& file, Bytes& out) {
  size_t at = 0;
  while (at < out.size()) {
    const ssize_t got = ::read(file.fd(), out.data() + at, out.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += static_cast<size_t>(got);
  }
  return true;
}

bool WriteAll(const File& file, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.fd(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return true;
}

int64_t ModifiedUnixNs(const struct stat& facts) {
#ifdef __APPLE__
  const timespec& time = facts.st_mtimespec;
#else
  const timespec& time = facts.st_mtim;
#endif
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

Status DirectoryError(const std::string& path, const std::string& what) {
  return Status(Reason::kIoError, "The cache directory " + Quoted(path) + " " + what + ".",
                {{"path", path}});
}

}  // namespace

Status MakePrivateDirectory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return DirectoryError(path, "cannot be made: " + std::string(std::strerror(errno)));
  }
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
    return DirectoryError(path, "is not a directory");
  }
  if (facts.st_uid != ::geteuid()) {
    return DirectoryError(path, "belongs to user " + Quoted(uint64_t{facts.st_uid}) +
                                    "; it holds code that this daemon runs, so it must be its own");
  }
  if ((facts.st_mode & 077) != 0 && ::chmod(path.c_str(), 0700) != 0) {
    return DirectoryError(path, "cannot be closed to others: " + std::string(std::strerror(errno)));
  }
  return {};
}

void WriteCacheTag(const std::string& directory) {
  const File file(directory + "/CACHEDIR.TAG", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (file.ok()) (void)WriteAll(file, AsBytes(kTag));
}

std::optional<Bytes> ReadAndTouch(const std::string& path, bool* missing) {
  const File file(path, kReadFlags);
  *missing = !file.ok() && errno == ENOENT;
  struct stat facts {};
  if (!IsOurFile(file, &facts)) return std::nullopt;
  Bytes bytes(static_cast<size_t>(facts.st_size));
  if (!ReadAll(file, bytes)) return std::nullopt;
  (void)::futimens(file.fd(), nullptr);
  return bytes;
}

std::optional<FileBegin> ReadBegin(const std::string& path, size_t bytes) {
  const File file(path, kReadFlags);
  struct stat facts {};
  if (!IsOurFile(file, &facts)) return std::nullopt;
  FileBegin out;
  out.file_bytes = static_cast<uint64_t>(facts.st_size);
  out.begin.resize(std::min<size_t>(bytes, out.file_bytes));
  if (!ReadAll(file, out.begin)) return std::nullopt;
  return out;
}

bool WriteFlushed(const std::string& path, const std::vector<ByteView>& parts) {
  const File file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (!file.ok()) return false;
  for (ByteView part : parts) {
    if (!WriteAll(file, part)) return false;
  }
  return ::fsync(file.fd()) == 0;
}

bool RenameFlushed(const std::string& from, const std::string& to, const std::string& directory) {
  if (::rename(from.c_str(), to.c_str()) != 0) return false;
  const File folder(directory, O_RDONLY | O_DIRECTORY);
  return folder.ok() && ::fsync(folder.fd()) == 0;
}

void RemoveAnything(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
}

std::vector<CacheFile> ListByUse(const std::string& directory) {
  std::vector<CacheFile> files;
  DIR* folder = ::opendir(directory.c_str());
  if (folder == nullptr) return files;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    struct stat facts {};
    if (name == "." || name == "..") continue;
    if (::fstatat(::dirfd(folder), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    files.push_back({name, static_cast<uint64_t>(facts.st_blocks) * 512, ModifiedUnixNs(facts)});
  }
  ::closedir(folder);
  std::sort(files.begin(), files.end(), [](const CacheFile& a, const CacheFile& b) {
    return std::tie(a.used_unix_ns, a.name) < std::tie(b.used_unix_ns, b.name);
  });
  return files;
}

}  // namespace wb
