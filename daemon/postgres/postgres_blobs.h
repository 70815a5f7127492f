#pragma once

// PostgresBlobs: a BlobStore in a PostgreSQL database, in parts of a MiB. Damaged ones are kept
// under the kind "damaged KIND".

#include <memory>
#include <string>
#include <vector>

#include "daemon/database/blob_store.h"
#include "daemon/postgres/postgres_database.h"

namespace wb {

class PostgresBlobs : public BlobStore {
 public:
  // `kind`: "module", "input".
  PostgresBlobs(std::shared_ptr<PostgresDatabase> database, std::string kind)
      : database_(std::move(database)), kind_(std::move(kind)) {}

  Result<std::vector<Entry>> Entries() const override;
  Status Put(const Digest& digest, ByteView bytes) const override;
  Result<Bytes> Get(const Digest& digest) const override;
  void Touch(const Digest& digest) const override;
  Status Remove(const Digest& digest) const override;

 private:
  PostgresQuery Of(const Digest& digest, const char* sql) const;  // $1: kind, $2: digest
  Status PutAside(const Digest& digest) const;

  const std::shared_ptr<PostgresDatabase> database_;
  const std::string kind_;
};

}  // namespace wb
