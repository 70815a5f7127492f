#include "daemon/database/state_file.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "scheduler/base/disk_file.h"

namespace wb {
namespace {

constexpr size_t kMostBytes = 64 << 10;

Status Failed(const std::string& path, const std::string& what) {
  return Status(Reason::kIoError, "The file [" + path + "] " + what + ".", {{"path", path}});
}

std::string Because(const char* what) {
  return std::string(what) + ": " + std::system_category().message(errno);
}

}  // namespace

Result<std::optional<std::string>> ReadStateFile(const std::string& path) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (std::filesystem::is_symlink(folder, error)) {
    return Failed(path, "lies behind a symbolic link, which is not followed");
  }
  const DiskFile file(path, kReadFlags);
  if (!file.ok() && (errno == ENOENT || errno == ENOTDIR)) return std::optional<std::string>();
  if (!file.ok()) return Failed(path, Because("cannot be opened"));
  if (!file.Facts()) return Failed(path, "is not a plain file of this user");
  Bytes bytes(kMostBytes + 1);
  const std::optional<size_t> size = file.Read(bytes);
  if (!size) return Failed(path, Because("cannot be read"));
  if (*size > kMostBytes) return Failed(path, "is too large to be ours");
  return std::optional<std::string>(std::in_place, bytes.begin(), bytes.begin() + *size);
}

Status WriteStateFile(const std::string& folder, const std::string& name, std::string_view text,
                      const DiskCalls& disk) {
  WB_TRY(MakeLastingFolder(folder, "The state folder", disk));
  const std::string path = folder + "/" + name;
  const std::string fresh = path + ".new";
  if (!WriteFlushed(fresh, O_TRUNC, {AsBytes(text)}, disk)) {
    return Failed(fresh, Because("cannot be written"));
  }
  if (disk.Rename(fresh, path) != 0) return Failed(path, Because("cannot be replaced"));
  if (!FlushFolder(folder, disk)) return Failed(folder, Because("cannot be flushed"));
  return {};
}

}  // namespace wb
