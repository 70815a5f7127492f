#pragma once

// BlobFolder: bytes by their digest, each in a file of its own (FOLDER/ab/abcd...). A file is there
// whole or not at all: it is written beside its place, flushed and renamed.
//
// Threads: any.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "scheduler/base/disk_calls.h"

namespace wb {

class BlobFolder {
 public:
  // Makes the folder (0700) if it is missing, and removes what a crash left half written. The disk
  // outlives it.
  static Result<BlobFolder> Open(const std::string& folder, const DiskCalls& disk = SystemDisk());

  // To read what another process may be writing: nothing is made or removed. Any folder will do.
  static BlobFolder Reading(const std::string& folder) { return BlobFolder(folder, SystemDisk()); }

  struct Entry {
    Digest digest;
    uint64_t bytes = 0;
    int64_t unix_ns = 0;  // when it was put there, or last touched
  };
  std::vector<Entry> List() const;  // by digest

  // On the disk when it returns. What is there already stays. One call for a digest at a time.
  // NOSPACE: the disk is full; IO_ERROR, MACHINE_FAULT: it is not there.
  Status Put(const Digest& digest, ByteView bytes) const;
  // NOT_FOUND. IO_ERROR: it cannot be read. BLOB_CORRUPT: its bytes have another digest; then it is
  // moved to `quarantine/` in the folder, and the next Get does not find it.
  Result<Bytes> Get(const Digest& digest) const;
  // As Get, but what is damaged stays where it is.
  Result<Bytes> Look(const Digest& digest) const;
  void Touch(const Digest& digest) const;
  // A second name for the file, on the same disk. NOT_FOUND; IO_ERROR.
  Status LinkTo(const Digest& digest, const std::string& path) const;
  // What is not there is removed already. It may be back after a power loss.
  Status Remove(const Digest& digest) const;

 private:
  BlobFolder(std::string folder, const DiskCalls& disk)
      : folder_(std::move(folder)), disk_(&disk) {}
  std::string PathOf(const Digest& digest) const;
  Status Write(const std::string& path, ByteView bytes) const;
  Status FlushNames(const std::string& part) const;
  Status Quarantine(const Digest& digest) const;

  std::string folder_;
  const DiskCalls* disk_;
};

}  // namespace wb
