#pragma once

// SplitBlobs: a BlobStore of two: short blobs lie in the first, long ones in the second. So a
// database has what is small, and a folder that its daemons share what is large.
//
// Threads: any.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "daemon/database/blob_store.h"

namespace wb {

class SplitBlobs : public BlobStore {
 public:
  // Blobs of at least so many bytes are long. Those that are there stay where they are, whatever
  // the bound was when they came.
  SplitBlobs(std::shared_ptr<const BlobStore> short_ones,
             std::shared_ptr<const BlobStore> long_ones, uint64_t long_from)
      : short_(std::move(short_ones)), long_(std::move(long_ones)), long_from_(long_from) {}

  Result<std::vector<Entry>> Entries() const override {
    WB_ASSIGN(std::vector<Entry> entries, short_->Entries());
    WB_ASSIGN(const std::vector<Entry> others, long_->Entries());
    entries.insert(entries.end(), others.begin(), others.end());
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.digest < b.digest; });
    const auto same = [](const Entry& a, const Entry& b) { return a.digest == b.digest; };
    entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
    return entries;
  }
  Status Put(const Digest& digest, ByteView bytes) const override {
    return (bytes.size() >= long_from_ ? long_ : short_)->Put(digest, bytes);
  }
  Result<Bytes> Get(const Digest& digest) const override {
    Result<Bytes> bytes = short_->Get(digest);
    if (bytes.status().reason() != Reason::kNotFound) return bytes;
    return long_->Get(digest);
  }
  void Touch(const Digest& digest) const override {
    short_->Touch(digest);
    long_->Touch(digest);
  }
  Status Remove(const Digest& digest) const override {
    WB_TRY(short_->Remove(digest));
    return long_->Remove(digest);
  }

 private:
  const std::shared_ptr<const BlobStore> short_;
  const std::shared_ptr<const BlobStore> long_;
  const uint64_t long_from_;
};

}  // namespace wb
