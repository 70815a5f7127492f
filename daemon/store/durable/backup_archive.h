#pragma once

// BackupArchive: a daemon's state as an archive (backup_format.h), made while the daemon works and
// no faster than it is read.
//
// Disk: a copy of the database, which goes with this object, and the blobs by a second name each,
// which takes no room: what is deleted meanwhile stays until then. Memory: one piece.
//
// Threads: one at a time.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/digest_stream.h"
#include "compiler/base/status.h"
#include "scheduler/base/disk_file.h"

namespace wb {

class BackupArchive {
 public:
  // Copies the database, which takes long where it is large. What is acknowledged when this begins
  // is in the archive: jobs first, then the modules and inputs that they need. One at a time for a
  // folder. CONFIG_INVALID: there is no state. NOSPACE: the copy has no room. CANCELLED:
  // `is_unwanted` said so, which is asked from this thread all the time. IO_ERROR.
  static Result<std::unique_ptr<BackupArchive>> Begin(const std::string& folder,
                                                      const std::function<bool()>& is_unwanted);
  ~BackupArchive();
  BackupArchive(const BackupArchive&) = delete;
  BackupArchive& operator=(const BackupArchive&) = delete;

  uint64_t total_bytes() const { return total_bytes_; }
  // The next piece, of about half a MiB. BLOB_CORRUPT, IO_ERROR: there is no archive.
  Result<std::string> Next();
  // Of all pieces, once the last one was given.
  const std::optional<Digest>& digest() const { return digest_; }

  // What a daemon that was killed left in its folder.
  static void RemoveLeft(const std::string& folder);

 private:
  struct Part {
    std::string name;  // in the archive, and below `copy_`
    uint64_t bytes = 0;
    std::optional<Digest> digest;
  };

  explicit BackupArchive(std::string folder);
  Status Copy(const std::function<bool()>& is_unwanted);
  Status LinkBlobs(const std::string& name);
  Status AddPart(const std::string& name, std::optional<Digest> digest);
  Status OpenPart(std::string* piece);
  Status ReadPart(std::string* piece);
  Status ClosePart(std::string* piece);
  void End(std::string* piece);
  Status Failed(const std::string& path, const char* what) const;

  const std::string folder_;
  const std::string copy_;  // folder/backup.tmp
  std::vector<Part> parts_;
  uint64_t total_bytes_ = 0;
  size_t at_ = 0;  // in `parts_`
  std::optional<DiskFile> file_;
  uint64_t left_ = 0;  // of the file
  std::unique_ptr<DigestStream> part_digest_;
  DigestStream files_digest_;  // of all before the last block
  DigestStream whole_digest_;
  std::optional<Digest> digest_;
};

}  // namespace wb
