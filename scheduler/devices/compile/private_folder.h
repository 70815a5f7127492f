#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "scheduler/base/disk_file.h"

namespace wb {

// The folder of one compile: mode 0700, a name that cannot be guessed, removed with all it holds. A
// file in it is locked while its owner lives (left_folders.h). Errors: MACHINE_FAULT, IO_ERROR.
class PrivateFolder {
 public:
  static constexpr std::string_view kPrefix = "wasmburst-";
  static constexpr std::string_view kLock = ".lock";

  static Result<PrivateFolder> Create(const std::string& parent);  // empty: the temporary folder
  PrivateFolder(PrivateFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  PrivateFolder& operator=(PrivateFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
  }
  ~PrivateFolder();

  const std::string& path() const { return path_; }
  Status Write(const std::string& name, std::string_view text) const;
  Result<Bytes> Read(const std::string& name) const;

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  Status Lock();

  std::string path_;
  std::unique_ptr<const DiskFile> lock_;
};

}  // namespace wb
