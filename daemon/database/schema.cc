#include "daemon/database/schema.h"

namespace wb {
namespace {

constexpr int64_t kVersion = 1;
constexpr int64_t kApplication = 0x57624d42;  // "WbMB": what file(1) and others tell files apart by

// Blocks name a job by its key, which is shorter than its id and never used again. A block's
// results lie in `bodies` under its key, so that a start reads blocks alone; the checksum is of
// `data`. `trash` has jobs that were forgotten while their blocks are still there.
constexpr const char* kTables = R"(
CREATE TABLE jobs(
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  ended INTEGER NOT NULL,
  request BLOB,
  shown BLOB NOT NULL,
  record BLOB NOT NULL);
CREATE TABLE blocks(
  key INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  instances BLOB NOT NULL);
CREATE TABLE bodies(
  key INTEGER PRIMARY KEY,
  checksum INTEGER NOT NULL,
  data BLOB NOT NULL);
CREATE UNIQUE INDEX blocks_of_jobs ON blocks(job, first);
CREATE TABLE trash(job INTEGER PRIMARY KEY);
)";

// What is committed is on the disk (sqlite.org/pragma.html#pragma_synchronous); readers do not wait
// for the writer (sqlite.org/wal.html).
constexpr const char* kSettings =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000;"
    "PRAGMA journal_size_limit=67108864; PRAGMA cell_size_check=ON;";

Status Make(Database* database) {
  Transaction transaction(database);
  WB_TRY(transaction.Begin());
  WB_TRY(database->Run(kTables));
  WB_TRY(database->Run("PRAGMA application_id=" + std::to_string(kApplication)));
  WB_TRY(database->Run("PRAGMA user_version=" + std::to_string(kVersion)));
  return transaction.Commit();
}

Status Refused(const std::string& path, const std::string& why) {
  return Status(Reason::kConfigInvalid, "The database [" + path + "] " + why,
                {{"field", "server.state_directory"}, {"path", path}});
}

}  // namespace

Status OpenSchema(Database* database, const std::string& path) {
  // Pages that results leave are given back to the file system bit by bit. It must come before the
  // first table.
  WB_TRY(database->Run("PRAGMA auto_vacuum=INCREMENTAL"));
  WB_TRY(database->Run(kSettings));
  WB_ASSIGN(const int64_t tables, database->Number("SELECT count(*) FROM sqlite_schema"));
  WB_ASSIGN(const int64_t application, database->Number("PRAGMA application_id"));
  WB_ASSIGN(const int64_t version, database->Number("PRAGMA user_version"));
  if (tables == 0 && application == 0 && version == 0) return Make(database);
  if (application != kApplication) {
    return Refused(path, "is not one of wasmburstd. Name another folder.");
  }
  if (version == kVersion) return {};
  return Refused(path, "has version [" + std::to_string(version) + "], and this daemon reads [" +
                           std::to_string(kVersion) +
                           "]. Start the daemon that wrote it, or name another folder.");
}

}  // namespace wb
