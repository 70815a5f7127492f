#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb {

// Folder of one compile: mode 0700, a name nobody can guess, removed with all it holds.
class PrivateFolder {
 public:
  static Result<PrivateFolder> Create(const std::string& parent);  // IO_ERROR
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
  }
  PrivateFolder& operator=(PrivateFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~PrivateFolder();

  const std::string& path() const { return path_; }
  Status Write(const std::string& name, std::string_view text) const;
  Result<Bytes> Read(const std::string& name) const;

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace wb
