#include "daemon/postgres/postgres_blobs.h"

#include <algorithm>
#include <optional>

#include "daemon/postgres/copy_rows.h"
#include "daemon/process/clock.h"
#include "daemon/process/log.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr size_t kPart = size_t{1} << 20;
constexpr const char* kCopyParts =
    "COPY blob_parts(kind, digest, part, data) FROM STDIN (FORMAT binary)";

}  // namespace

PostgresQuery PostgresBlobs::Of(const Digest& digest, const char* sql) const {
  return PostgresQuery(sql).Text(kind_).Blob(digest.bytes);
}

Result<std::vector<BlobStore::Entry>> PostgresBlobs::Entries() const {
  std::vector<Entry> entries;
  WB_TRY(database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery("SELECT digest, bytes, touched FROM blobs "
                                            "WHERE kind = $1 ORDER BY digest")
                                  .Text(kind_)));
    for (int i = 0; i < rows.size(); ++i) {
      Entry& entry = entries.emplace_back();
      const Bytes digest = rows.Blob(i, 0);
      std::copy_n(digest.begin(), std::min(digest.size(), entry.digest.bytes.size()),
                  entry.digest.bytes.begin());
      entry.bytes = static_cast<uint64_t>(rows.Number(i, 1));
      entry.unix_ns = rows.Number(i, 2);
    }
    return {};
  }));
  return entries;
}

Status PostgresBlobs::Put(const Digest& digest, ByteView bytes) const {
  CopyRows parts(4);
  for (size_t at = 0, part = 0; at < bytes.size(); at += kPart, ++part) {
    parts.Row().Text(kind_).Blob(digest.bytes).Number(static_cast<int64_t>(part));
    parts.Blob(bytes.subspan(at, std::min(kPart, bytes.size() - at)));
  }
  const PostgresQuery insert = Of(digest,
                                  "INSERT INTO blobs(kind, digest, bytes, touched) "
                                  "VALUES($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1")
                                   .Number(static_cast<int64_t>(bytes.size()))
                                   .Number(UnixNow());
  return database_->Write([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows added, connection->Run(insert));
    if (added.size() == 0 || parts.empty()) return {};
    return connection->Copy(kCopyParts, std::move(parts).Take());
  });
}

Result<Bytes> PostgresBlobs::Get(const Digest& digest) const {
  std::optional<Bytes> bytes;
  WB_TRY(database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(Of(digest,
                                 "SELECT data FROM blobs LEFT JOIN blob_parts USING(kind, digest) "
                                 "WHERE kind = $1 AND digest = $2 ORDER BY part")));
    if (rows.size() > 0) bytes.emplace();
    for (int i = 0; i < rows.size(); ++i) {
      const Bytes part = rows.Blob(i, 0);
      bytes->insert(bytes->end(), part.begin(), part.end());
    }
    return {};
  }));
  if (!bytes) {
    return Status(Reason::kNotFound,
                  "The " + kind_ + " " + Quoted(digest.Hex()) + " is not in the database.");
  }
  if (Sha256(*bytes) == digest) return std::move(*bytes);
  const Status aside = PutAside(digest);
  Log(LogLevel::kError, "blob_damaged",
      {{"kind", kind_}, {"blob", digest.Hex()}, {"put_aside", aside.ok() ? "yes" : "no"}});
  return Status(Reason::kBlobCorrupt,
                "The " + kind_ + " " + Quoted(digest.Hex()) + " is damaged in the database at " +
                    Quoted(database_->place()) + ".",
                {{"database", database_->place()}});
}

// In place of what was put aside before.
Status PostgresBlobs::PutAside(const Digest& digest) const {
  return database_->Write([&](PostgresConnection* connection) {
    return connection->Batch(
        {Of(digest, "DELETE FROM blobs WHERE kind = 'damaged ' || $1 AND digest = $2"),
         Of(digest, "DELETE FROM blob_parts WHERE kind = 'damaged ' || $1 AND digest = $2"),
         Of(digest, "UPDATE blobs SET kind = 'damaged ' || $1 WHERE kind = $1 AND digest = $2"),
         Of(digest,
            "UPDATE blob_parts SET kind = 'damaged ' || $1 WHERE kind = $1 AND digest = $2")});
  });
}

// The time of its last use; one that is lost costs an input its place among others.
void PostgresBlobs::Touch(const Digest& digest) const {
  (void)database_->Write([&](PostgresConnection* connection) {
    return connection
        ->Run(Of(digest, "UPDATE blobs SET touched = $3 WHERE kind = $1 AND digest = $2")
                  .Number(UnixNow()))
        .status();
  });
}

Status PostgresBlobs::Remove(const Digest& digest) const {
  return database_->Write([&](PostgresConnection* connection) {
    return connection->Batch(
        {Of(digest, "DELETE FROM blobs WHERE kind = $1 AND digest = $2"),
         Of(digest, "DELETE FROM blob_parts WHERE kind = $1 AND digest = $2")});
  });
}

}  // namespace wb
