#include "client/cli/identity/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace wb::cli {
namespace {

Status SecretError(const std::string& path, const std::string& words) {
  return Status(Reason::kIoError, "The file [" + path + "] " + words, {{"file", path}});
}

std::string LastError() { return "(" + std::string(std::strerror(errno)) + ")."; }

// False: errno says why.
bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
  }
  return fsync(descriptor) == 0;
}

}  // namespace

Status CreateSecretFile(const std::string& path, std::string_view bytes) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0 && errno == EEXIST) {
    return SecretError(path, "is there already, and is not overwritten; name another one.");
  }
  if (descriptor < 0) return SecretError(path, "cannot be made " + LastError());
  const bool wrote = WriteAll(descriptor, bytes);
  const Status error = wrote ? Status() : SecretError(path, "cannot be written " + LastError());
  close(descriptor);
  if (!wrote) unlink(path.c_str());
  return error;
}

Status ReplaceSecretFile(const std::string& path, std::string_view bytes) {
  std::error_code error;
  // A link stays a link.
  std::filesystem::path target = std::filesystem::canonical(path, error);
  if (error) target = path;
  const std::filesystem::path folder = target.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
    std::filesystem::create_directories(folder.parent_path(), error);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
      return SecretError(path, "cannot be made, since its folder cannot " + LastError());
    }
  }
  const std::string fresh = target.string() + "." + std::to_string(getpid()) + ".new";
  WB_TRY(CreateSecretFile(fresh, bytes));
  if (std::rename(fresh.c_str(), target.c_str()) == 0) return {};
  const Status failed = SecretError(path, "cannot be written " + LastError());
  unlink(fresh.c_str());
  return failed;
}

}  // namespace wb::cli
