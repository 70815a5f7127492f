#pragma once

// S3Blobs: a BlobStore in a bucket of an object store that speaks S3: an object PREFIX/KIND/DIGEST
// for each blob. Its server checks the digest of what it is given, and this that of what it gives.
// What is damaged is moved to PREFIX/damaged/KIND/DIGEST.
//
// Threads: any.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/blobs/s3_client.h"
#include "daemon/database/blob_store.h"
#include "scheduler/base/clock.h"

namespace wb {

class S3Blobs : public BlobStore {
 public:
  // `kind`: "modules", "inputs". `most`: bytes of a blob.
  S3Blobs(std::shared_ptr<const S3Client> client, std::string kind, uint64_t most)
      : client_(std::move(client)), kind_(std::move(kind)), most_(most) {}

  Result<std::vector<Entry>> Entries() const override;
  Status Put(const Digest& digest, ByteView bytes) const override;
  Result<Bytes> Get(const Digest& digest) const override;
  // Objects have no such time but that of their writing: it is copied onto itself. Once an hour is
  // enough for those that make room for others.
  void Touch(const Digest& digest) const override;
  Status Remove(const Digest& digest) const override;

 private:
  std::string ObjectOf(const Digest& digest) const { return kind_ + "/" + digest.Hex(); }
  Result<Bytes> Read(const Digest& digest) const;
  Status PutAside(const Digest& digest) const;

  const std::shared_ptr<const S3Client> client_;
  const std::string kind_;
  const uint64_t most_;
  mutable Mutex mutex_;
  mutable std::map<Digest, TimePoint> touched_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
