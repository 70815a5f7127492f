#include "client/cli/run/host_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

Status Unpacked(const std::string& path, const std::string& why) {
  return Status(Reason::kIoError, "The path [" + path + "] cannot be packed (" + why + ").",
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

// The image and the message that is made of it are in memory together.
uint64_t MostImageBytes() {
  const auto pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

}  // namespace

bool FolderListing::Stamp::operator==(const Stamp& other) const {
  return device == other.device && inode == other.inode && bytes == other.bytes &&
         modified.tv_sec == other.modified.tv_sec && modified.tv_nsec == other.modified.tv_nsec;
}

Result<FolderListing::Stamp> FolderListing::StampOf(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return Unpacked(path, std::strerror(errno));
  Stamp stamp;
  stamp.device = static_cast<uint64_t>(info.st_dev);
  stamp.inode = info.st_ino;
  stamp.bytes = static_cast<uint64_t>(info.st_size);
  stamp.modified = ModifiedAt(info);
  return stamp;
}

Result<FolderListing> FolderListing::Of(const std::string& folder, bool keep_times) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  if (error) return Unpacked(folder, error.message());
  FolderListing listing(folder);
  while (at != fs::recursive_directory_iterator()) {
    WB_TRY(listing.Add(*at, keep_times));
    at.increment(error);
    if (error) return Unpacked(folder, error.message());
  }
  return listing;
}

Status FolderListing::Add(const fs::directory_entry& entry, bool keep_times) {
  std::error_code error;
  const bool is_folder = entry.is_directory(error);
  const bool is_taken = is_folder ? !entry.is_symlink(error) : entry.is_regular_file(error);
  if (!is_taken) return {};
  const std::string path = entry.path().lexically_relative(folder_).string();
  WB_ASSIGN(const Stamp stamp, StampOf(entry.path().string()));
  const uint64_t modified = keep_times ? Nanoseconds(stamp.modified) : 0;
  if (is_folder) return image_->AddFolder(path, modified);
  stamps_[path] = stamp;
  return image_->AddFile(path, stamp.bytes, modified);
}

Result<std::string> FolderListing::Pack(uint64_t most) const {
  if (image_->size() > most) {
    return Status(Reason::kInvalidArgument,
                  "The files under [" + folder_ + "] have [" + std::to_string(image_->size()) +
                      "] bytes; half of this machine's memory, [" + std::to_string(most) +
                      "] bytes, is the most for one file set.");
  }
  return image_->Write([this](const std::string& path, char* to, uint64_t bytes) {
    return ReadInto(path, to, bytes);
  });
}

Status FolderListing::ReadInto(const std::string& path, char* to, uint64_t bytes) const {
  const std::string whole = (fs::path(folder_) / path).string();
  std::ifstream stream(whole, std::ios::binary);
  if (!stream.is_open()) return Unpacked(whole, std::strerror(errno));
  stream.read(to, static_cast<std::streamsize>(bytes));
  const auto read = static_cast<uint64_t>(stream.gcount());
  WB_ASSIGN(const Stamp stamp, StampOf(whole));
  if (read == bytes && stamp == stamps_.at(path)) return {};
  return Unpacked(whole, "it changed while it was read: it had [" + std::to_string(bytes) +
                             "] bytes and has [" + std::to_string(stamp.bytes) +
                             "]; nothing was sent, try again when nobody writes to it");
}

Result<std::string> PackFolder(const std::string& folder, bool keep_times) {
  WB_ASSIGN(const FolderListing listing, FolderListing::Of(folder, keep_times));
  return listing.Pack(MostImageBytes());
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
