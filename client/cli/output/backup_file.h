#pragma once

// BackupFile: the archive of a backup on its way to a file. Until it is whole and its digest is
// right it has another name, and it is removed when it does not become so.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/digest_stream.h"
#include "compiler/base/status.h"

namespace wb::cli {

class BackupFile {
 public:
  // INVALID_ARGUMENT: `path` is there already. IO_ERROR.
  static Result<std::unique_ptr<BackupFile>> Create(const std::string& path);
  ~BackupFile();
  BackupFile(const BackupFile&) = delete;
  BackupFile& operator=(const BackupFile&) = delete;

  Status Add(std::string_view bytes);  // NOSPACE, IO_ERROR
  // Gives the file its name, on the disk. `sha256` is what the daemon says of all the bytes, in
  // hex: BLOB_CORRUPT where it is missing or another one.
  Status Finish(const std::string& sha256);
  uint64_t bytes() const { return bytes_; }

 private:
  BackupFile(std::string path, std::string fresh, int fd)
      : path_(std::move(path)), fresh_(std::move(fresh)), fd_(fd) {}

  const std::string path_;
  std::string fresh_;  // its name until then; empty: it has its own
  const int fd_;
  uint64_t bytes_ = 0;
  DigestStream digest_;
};

}  // namespace wb::cli
