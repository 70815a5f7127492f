#include "scheduler/devices/compile/private_folder.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace wb {

Result<PrivateFolder> PrivateFolder::Create(const std::string& parent) {
  std::error_code error;
  const std::filesystem::path base =
      parent.empty() ? std::filesystem::temp_directory_path(error) : std::filesystem::path(parent);
  std::string path = std::filesystem::absolute(base / "wasmburst-XXXXXX", error).string();
  if (error || mkdtemp(path.data()) == nullptr) {
    const std::string why = error ? error.message() : std::strerror(errno);
    return Status(Reason::kIoError, "The compiler's working folder could not be created in [" +
                                        base.string() + "]: " + why + ".");
  }
  return PrivateFolder(path);  // mkdtemp makes it 0700
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;  // nothing is left to do about a folder that cannot be removed
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Status PrivateFolder::Write(const std::string& name, std::string_view text) const {
  const std::string path = path_ + "/" + name;
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file) return {};
  return Status(Reason::kIoError, "The file [" + path + "] could not be written.");
}

Result<Bytes> PrivateFolder::Read(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (!error && file) {
    Bytes bytes(size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (file) return bytes;
  }
  return Status(Reason::kIoError, "The file [" + path + "] could not be read.");
}

}  // namespace wb
