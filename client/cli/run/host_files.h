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
#include "client/input_source.h"
#include "compiler/base/status.h"

namespace wb::cli {

// A file as it was when it was looked at.
class HostFile {
 public:
  static Result<HostFile> At(std::string path);  // IO_ERROR

  uint64_t bytes() const { return stamp_.bytes; }
  uint64_t modified_ns() const;  // since 1970
  // Hands over its bytes, in parts of at most a MiB. IO_ERROR, which names it, where it is not as
  // it was: its bytes may be of two times.
  Status Write(const TakePart& take) const;
  InputSource Source() const;  // of the bytes; for itself

 private:
  struct Stamp {
    uint64_t device = 0, inode = 0, bytes = 0;
    timespec modified = {};
    bool operator==(const Stamp& other) const;
  };

  HostFile(std::string path, const Stamp& stamp) : path_(std::move(path)), stamp_(stamp) {}
  static Result<Stamp> StampOf(const std::string& path);

  std::string path_;
  Stamp stamp_;
};

// All files and folders under one folder, as they were when they were listed. Files that are linked
// to are packed as what they are; folders that are linked to, and what is neither file nor folder,
// are left out.
class FolderListing {
 public:
  // `keep_times`: with the times of their last change, else all of one time, so that the same files
  // are the same image. IO_ERROR.
  static Result<FolderListing> Of(const std::string& folder, bool keep_times);

  // A FileSetImage, whose bytes are read anew each time they are written: IO_ERROR as of
  // HostFile::Write. The listing must outlive it.
  InputSource Source() const;

 private:
  explicit FolderListing(std::string folder)
      : folder_(std::move(folder)), image_(std::make_unique<FileSetImage>()) {}
  Status Add(const std::filesystem::directory_entry& entry, bool keep_times);

  std::string folder_;
  std::unique_ptr<FileSetImage> image_;
  std::map<std::string, HostFile> files_;  // by path in the folder
};

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
