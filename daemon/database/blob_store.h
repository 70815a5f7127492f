#pragma once

// BlobStore: bytes by their digest. An interface: BlobFolder keeps them as files, PostgresBlobs as
// rows, S3Blobs as objects. A blob is there whole or not at all.
//
// Threads: any. MACHINE_FAULT, of any method: the store does not answer now.

#include <cstdint>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"

namespace wb {

class BlobStore {
 public:
  virtual ~BlobStore() = default;

  struct Entry {
    Digest digest;
    uint64_t bytes = 0;
    int64_t unix_ns = 0;  // when it was put there, or last touched
  };
  virtual Result<std::vector<Entry>> Entries() const = 0;  // by digest

  // On the disk when it returns. What is there already stays. One call for a digest at a time.
  // NOSPACE: the disk is full; IO_ERROR, MACHINE_FAULT: it is not there.
  virtual Status Put(const Digest& digest, ByteView bytes) const = 0;
  // NOT_FOUND. IO_ERROR: it cannot be read. BLOB_CORRUPT: its bytes have another digest; then it is
  // put aside, and the next Get does not find it.
  virtual Result<Bytes> Get(const Digest& digest) const = 0;
  virtual void Touch(const Digest& digest) const = 0;
  // What is not there is removed already. It may be back after a power loss.
  virtual Status Remove(const Digest& digest) const = 0;
};

}  // namespace wb
