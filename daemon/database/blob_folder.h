#pragma once

// BlobFolder: a BlobStore of files (FOLDER/ab/abcd...). Each is written beside its place, flushed
// and renamed. What is damaged is moved to `quarantine/` in the folder.
//
// Threads: any.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "daemon/database/blob_store.h"
#include "scheduler/base/disk_calls.h"

namespace wb {

class BlobFolder : public BlobStore {
 public:
  // Makes the folder (0700) if it is missing, and removes what a crash left half written. The disk
  // outlives it.
  static Result<BlobFolder> Open(const std::string& folder, const DiskCalls& disk = SystemDisk());

  // The same of a folder that several machines have: what is half written may be another's, and is
  // removed when it is a day old.
  static Result<BlobFolder> OpenShared(const std::string& folder);

  // To read what another process may be writing: nothing is made or removed. Any folder will do.
  static BlobFolder Reading(const std::string& folder) { return BlobFolder(folder, SystemDisk()); }

  std::vector<Entry> List() const;  // as Entries

  Result<std::vector<Entry>> Entries() const override { return List(); }
  Status Put(const Digest& digest, ByteView bytes) const override;
  Result<Bytes> Get(const Digest& digest) const override;
  // As Get, but what is damaged stays where it is.
  Result<Bytes> Look(const Digest& digest) const;
  void Touch(const Digest& digest) const override;
  // A second name for the file, on the same disk. NOT_FOUND; IO_ERROR.
  Status LinkTo(const Digest& digest, const std::string& path) const;
  Status Remove(const Digest& digest) const override;

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
