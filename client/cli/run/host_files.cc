#include "client/cli/run/host_files.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "client/file_set_image.h"

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

// An input is one message, which has at most 2 GiB.
constexpr uint64_t kMostImageBytes = 2'000'000'000;

Status Unpacked(const std::string& path, const std::string& why) {
  return Status(Reason::kIoError, "The path [" + path + "] cannot be packed (" + why + ").",
                {{"path", path}});
}

uint64_t ModifiedAt(const fs::path& path, bool keep_times) {
  struct stat info = {};
  if (!keep_times || stat(path.c_str(), &info) != 0 || info.st_mtim.tv_sec < 0) return 0;
  return static_cast<uint64_t>(info.st_mtim.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(info.st_mtim.tv_nsec);
}

Status AddEntry(const fs::directory_entry& entry, const fs::path& folder, bool keep_times,
                FileSetImage* image) {
  std::error_code error;
  const std::string path = entry.path().lexically_relative(folder).string();
  const uint64_t modified = ModifiedAt(entry.path(), keep_times);
  if (entry.is_directory(error)) {
    return entry.is_symlink(error) ? Status() : image->AddFolder(path, modified);
  }
  if (!entry.is_regular_file(error)) return {};
  const uint64_t bytes = entry.file_size(error);
  if (error) return Unpacked(entry.path().string(), error.message());
  return image->AddFile(path, bytes, modified);
}

Status ReadInto(const fs::path& path, char* to, uint64_t bytes) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open()) return Unpacked(path.string(), "it cannot be read");
  stream.read(to, static_cast<std::streamsize>(bytes));
  if (static_cast<uint64_t>(stream.gcount()) == bytes) return {};
  return Unpacked(path.string(), "it became shorter meanwhile");
}

}  // namespace

Result<std::string> PackFolder(const std::string& folder, bool keep_times) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  if (error) return Unpacked(folder, error.message());
  FileSetImage image;
  while (at != fs::recursive_directory_iterator()) {
    WB_TRY(AddEntry(*at, folder, keep_times, &image));
    at.increment(error);
    if (error) return Unpacked(folder, error.message());
  }
  if (image.size() > kMostImageBytes) {
    return Status(Reason::kInvalidArgument,
                  "The files under [" + folder + "] have [" + std::to_string(image.size()) +
                      "] bytes; one job takes [" + std::to_string(kMostImageBytes) + "].");
  }
  return image.Write([&folder](const std::string& path, char* to, uint64_t bytes) {
    return ReadInto(fs::path(folder) / path, to, bytes);
  });
}

bool HasInput(int descriptor) {
  struct stat info = {};
  return fstat(descriptor, &info) == 0 && (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode));
}

Result<NamedText> SplitNamed(const std::string& text, const std::string& form) {
  const size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < text.size()) {
    return NamedText{text.substr(0, equals), text.substr(equals + 1)};
  }
  return Status(Reason::kInvalidArgument, "The text [" + text + "] is not " + form + ".");
}

}  // namespace wb::cli
