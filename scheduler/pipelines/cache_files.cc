#include "scheduler/pipelines/cache_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "scheduler/base/disk_file.h"
#include "scheduler/base/system_error.h"

namespace wb {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 30;
constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This directory holds compiled kernels; wasmburstd makes them again when they are gone.\n";

// Of a file that the cache may have written; nullopt for others.
std::optional<struct stat> FactsOfOurs(const DiskFile& file) {
  const std::optional<struct stat> facts = file.Facts();
  if (!facts || static_cast<uint64_t>(facts->st_size) > kMaxFileBytes) return std::nullopt;
  return facts;
}

// All of it: what has become shorter meanwhile is not ours.
bool ReadAll(const DiskFile& file, Bytes& out) { return file.Read(out) == out.size(); }

int64_t ModifiedUnixNs(const struct stat& facts) {
#ifdef __APPLE__
  const timespec& time = facts.st_mtimespec;
#else
  const timespec& time = facts.st_mtim;
#endif
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

}  // namespace

void WriteCacheTag(const std::string& directory) {
  const DiskFile file(directory + "/CACHEDIR.TAG", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (file.ok()) (void)file.Write(AsBytes(kTag));
}

std::optional<Bytes> ReadAndTouch(const std::string& path, bool* missing) {
  const DiskFile file(path, kReadFlags);
  *missing = !file.ok() && (errno == ENOENT || IsPassing(errno));
  const std::optional<struct stat> facts = FactsOfOurs(file);
  if (!facts) return std::nullopt;
  Bytes bytes(static_cast<size_t>(facts->st_size));
  if (!ReadAll(file, bytes)) return std::nullopt;
  (void)::futimens(file.fd(), nullptr);
  return bytes;
}

std::optional<FileBegin> ReadBegin(const std::string& path, size_t bytes) {
  const DiskFile file(path, kReadFlags);
  const std::optional<struct stat> facts = FactsOfOurs(file);
  if (!facts) return std::nullopt;
  FileBegin out;
  out.file_bytes = static_cast<uint64_t>(facts->st_size);
  out.begin.resize(std::min<size_t>(bytes, out.file_bytes));
  if (!ReadAll(file, out.begin)) return std::nullopt;
  return out;
}

bool WriteNew(const std::string& path, const std::vector<ByteView>& parts) {
  return WriteFlushed(path, O_EXCL, parts);
}

bool RenameFlushed(const std::string& from, const std::string& to, const std::string& directory) {
  return ::rename(from.c_str(), to.c_str()) == 0 && FlushFolder(directory);
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
