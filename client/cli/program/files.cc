#include "client/cli/program/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace wb::cli {
namespace {

Status Unreadable(const std::string& path, const char* verb) {
  return Status(Reason::kIoError,
                "The file [" + path + "] cannot be " + verb + " (" + std::strerror(errno) + ").",
                {{"file", path}});
}

}  // namespace

Result<std::ifstream> OpenFile(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    errno = EISDIR;
    return Unreadable(path, "read");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open()) return Unreadable(path, "read");
  return stream;
}

Result<std::string> ReadFile(const std::string& path) {
  if (path == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  WB_ASSIGN(std::ifstream stream, OpenFile(path));
  std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream.bad()) return Unreadable(path, "read");
  return bytes;
}

Status CheckWritable(const std::string& path) {
  std::ofstream stream(path, std::ios::binary | std::ios::app);
  if (!stream.is_open()) return Unreadable(path, "written");
  return {};
}

Status WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) return Unreadable(path, "written");
  return {};
}

}  // namespace wb::cli
