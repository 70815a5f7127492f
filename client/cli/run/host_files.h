#pragma once

// Files of this machine for programs: one by one, and folders as one image.

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "client/file_set_image.h"
#include "compiler/base/status.h"

namespace wb::cli {

// All files and folders under one folder, as they were when they were listed. Files that are linked
// to are packed as what they are; folders that are linked to, and what is neither file nor folder,
// are left out.
class FolderListing {
 public:
  // `keep_times`: with the times of their last change, else all of one time, so that the same files
  // are the same image. IO_ERROR.
  static Result<FolderListing> Of(const std::string& folder, bool keep_times);

  // A FileSetImage. IO_ERROR, which names the file, where one is not as it was listed: its bytes
  // may be of two times. INVALID_ARGUMENT: the image would have more than `most` bytes.
  Result<std::string> Pack(uint64_t most) const;

 private:
  struct Stamp {
    uint64_t device = 0, inode = 0, bytes = 0;
    timespec modified = {};
    bool operator==(const Stamp& other) const;
  };

  explicit FolderListing(std::string folder)
      : folder_(std::move(folder)), image_(std::make_unique<FileSetImage>()) {}
  Status Add(const std::filesystem::directory_entry& entry, bool keep_times);
  Status ReadInto(const std::string& path, char* to, uint64_t bytes) const;
  static Result<Stamp> StampOf(const std::string& path);

  std::string folder_;
  std::unique_ptr<FileSetImage> image_;
  std::map<std::string, Stamp> stamps_;  // of files, by path in the folder
};

// The folder as an image that this machine's memory holds.
Result<std::string> PackFolder(const std::string& folder, bool keep_times);

// Whether a descriptor is a file or a pipe, whose end will come.
bool HasInput(int descriptor);

// What stands before and behind the first "=", neither empty. INVALID_ARGUMENT, which names the
// form ("GUEST=HOST").
struct NamedText {
  std::string name;
  std::string text;
};
Result<NamedText> SplitNamed(const std::string& text, const std::string& form);

}  // namespace wb::cli
