#include "client/cli/run/host_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kPartBytes = 1 << 20;

Status Unreadable(const std::string& path, const std::string& why) {
  return Status(Reason::kIoError, "The path [" + path + "] cannot be read (" + why + ").",
                {{"path", path}});
}

uint64_t Nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

timespec ModifiedAt(const struct stat& info) {
#ifdef __APPLE__
  return info.st_mtimespec;
#else
  return info.st_mtim;
#endif
}

}  // namespace

bool HostFile::Stamp::operator==(const Stamp& other) const {
  return device == other.device && inode == other.inode && bytes == other.bytes &&
         modified.tv_sec == other.modified.tv_sec && modified.tv_nsec == other.modified.tv_nsec;
}

Result<HostFile::Stamp> HostFile::StampOf(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return Unreadable(path, std::strerror(errno));
  Stamp stamp;
  stamp.device = static_cast<uint64_t>(info.st_dev);
  stamp.inode = info.st_ino;
  stamp.bytes = static_cast<uint64_t>(info.st_size);
  stamp.modified = ModifiedAt(info);
  return stamp;
}

Result<HostFile> HostFile::At(std::string path) {
  WB_ASSIGN(const Stamp stamp, StampOf(path));
  return HostFile(std::move(path), stamp);
}

uint64_t HostFile::modified_ns() const { return Nanoseconds(stamp_.modified); }

Status HostFile::Write(const TakePart& take) const {
  std::ifstream stream(path_, std::ios::binary);
  if (!stream.is_open()) return Unreadable(path_, std::strerror(errno));
  std::string part(std::min(stamp_.bytes, kPartBytes), '\0');
  uint64_t left = stamp_.bytes;
  while (left > 0) {
    stream.read(part.data(), static_cast<std::streamsize>(std::min(left, kPartBytes)));
    const auto read = static_cast<uint64_t>(stream.gcount());
    if (read == 0) break;
    WB_TRY(take(std::string_view(part).substr(0, read)));
    left -= read;
  }
  WB_ASSIGN(const Stamp now, StampOf(path_));
  if (left == 0 && now == stamp_) return {};
  return Unreadable(path_, "it changed while it was read: it had [" + std::to_string(stamp_.bytes) +
                               "] bytes and has [" + std::to_string(now.bytes) +
                               "]; try again when nobody writes to it");
}

InputSource HostFile::Source() const {
  return {"The file [" + path_ + "]", bytes(),
          [file = *this](const TakePart& take) { return file.Write(take); }};
}

Result<FolderListing> FolderListing::Of(const std::string& folder, bool keep_times) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  if (error) return Unreadable(folder, error.message());
  FolderListing listing(folder);
  while (at != fs::recursive_directory_iterator()) {
    WB_TRY(listing.Add(*at, keep_times));
    at.increment(error);
    if (error) return Unreadable(folder, error.message());
  }
  return listing;
}

Status FolderListing::Add(const fs::directory_entry& entry, bool keep_times) {
  std::error_code error;
  const bool is_folder = entry.is_directory(error);
  const bool is_taken = is_folder ? !entry.is_symlink(error) : entry.is_regular_file(error);
  if (!is_taken) return {};
  const std::string path = entry.path().lexically_relative(folder_).string();
  WB_ASSIGN(HostFile file, HostFile::At(entry.path().string()));
  const uint64_t modified = keep_times ? file.modified_ns() : 0;
  if (is_folder) return image_->AddFolder(path, modified);
  const uint64_t bytes = file.bytes();
  files_.emplace(path, std::move(file));
  return image_->AddFile(path, bytes, modified);
}

InputSource FolderListing::Source() const {
  const auto read = [this](const std::string& path, uint64_t, const TakePart& take) {
    return files_.at(path).Write(take);
  };
  return {"The folder [" + folder_ + "]", image_->size(),
          [this, read](const TakePart& take) { return image_->Write(read, take); }};
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
