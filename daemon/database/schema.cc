#include "daemon/database/schema.h"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <vector>

#include "daemon/database/cordons_file.h"
#include "daemon/process/fail_point.h"
#include "daemon/process/log.h"
#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {
namespace {

constexpr int64_t kApplication = 0x57624d42;  // "WbMB": what file(1) and others tell files apart by

// Version 1. Blocks name a job by its key, which is shorter than its id and never used again. A
// block's results lie in `bodies` under its key, so that a start reads blocks alone; the checksum
// is of `data`. `trash` has jobs that were forgotten while their blocks are still there.
constexpr const char* kJobTables = R"(
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

// Version 2: who may use what. Of a token's secret only its SHA-256 is kept. An owner is a tenant
// that uploaded a blob. The row of the kind "unknown" says that blobs may lie there from before
// owners were kept: whoever has given them an owner removes it. So a start that ends early loses
// none.
constexpr const char* kTenantTables = R"(
CREATE TABLE tokens(
  id TEXT PRIMARY KEY,
  secret BLOB NOT NULL,
  tenant TEXT NOT NULL,
  role TEXT NOT NULL,
  note TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE owners(
  kind TEXT NOT NULL,
  digest TEXT NOT NULL,
  tenant TEXT NOT NULL,
  PRIMARY KEY(kind, digest, tenant)) WITHOUT ROWID;
INSERT INTO owners(kind, digest, tenant) VALUES('unknown', '', '');
)";

// Version 3: devices that operators have closed, and since when. Older daemons kept them in a file.
constexpr const char* kCordonTable = R"(
CREATE TABLE cordons(
  device TEXT PRIMARY KEY,
  since INTEGER NOT NULL) WITHOUT ROWID;
)";
constexpr int64_t kCordonVersion = 3;

// What makes version i + 1 of version i. A new database takes all of these steps.
constexpr const char* kSteps[] = {kJobTables, kTenantTables, kCordonTable};
constexpr int64_t kVersion = std::size(kSteps);

// What is committed is on the disk (sqlite.org/pragma.html#pragma_synchronous; fullfsync is for
// macOS); readers do not wait for the writer (sqlite.org/wal.html).
constexpr const char* kSettings =
    "PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON;"
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000;"
    "PRAGMA journal_size_limit=67108864; PRAGMA cell_size_check=ON;";

Status TakeCordons(Database* database, const std::string& folder) {
  WB_ASSIGN(const std::vector<CordonRow> cordons, ReadCordonsFile(folder));
  WB_ASSIGN(Statement insert,
            database->Prepare("INSERT OR REPLACE INTO cordons(device, since) VALUES(?, ?)"));
  for (const CordonRow& cordon : cordons) {
    WB_TRY(insert.Reset().Bind(cordon.device).Bind(cordon.since_unix_ns).Run());
  }
  return {};
}

// All steps or none.
Status StepFrom(Database* database, const std::string& path, const int64_t from) {
  Transaction transaction(database);
  WB_TRY(transaction.Begin());
  for (int64_t i = from; i < kVersion; ++i) WB_TRY(database->Run(kSteps[i]));
  if (from < kCordonVersion) {
    WB_TRY(TakeCordons(database, std::filesystem::path(path).parent_path().string()));
  }
  WB_TRY(database->Run("PRAGMA application_id=" + std::to_string(kApplication)));
  WB_TRY(WriteVersion(database));
  FailPoint(FailPlace::kMigrationWritten);
  return transaction.Commit();
}

Status CannotCopy(const std::string& to, const char* what) {
  return SystemError("The file " + Quoted(to) + " cannot be " + what, errno, {{"path", to}});
}

// Whole or not there, as blobs are: written beside its place, flushed, renamed.
Status CopyTo(Database* database, const std::string& to, const std::string& folder) {
  const DiskCalls& disk = database->disk();
  const std::string fresh = to + ".new";
  if (disk.Remove(fresh) != 0 && errno != ENOENT) return CannotCopy(fresh, "removed");
  WB_ASSIGN(Statement copy, database->Prepare("VACUUM INTO ?"));
  WB_TRY(copy.Bind(fresh).Run());
  const DiskFile file(fresh, O_RDONLY | O_NOFOLLOW, disk);
  if (!file.ok() || !file.Flush()) return CannotCopy(fresh, "flushed");
  if (disk.Rename(fresh, to) != 0) return CannotCopy(to, "renamed");
  return FlushFolder(folder, disk) ? Status() : CannotCopy(to, "flushed");
}

// Without a copy of what it was nothing is changed. A copy that is there already is of a start that
// ended before the steps were committed, or of somebody who went back: it is kept, and another is
// made beside it.
Status CopyBefore(Database* database, const std::string& path, int64_t version) {
  const std::string stem = path + ".version" + std::to_string(version);
  std::string to = stem;
  std::error_code error;
  for (int i = 2; std::filesystem::exists(to, error); ++i) to = stem + "." + std::to_string(i);
  WB_TRY(CopyTo(database, to, std::filesystem::path(path).parent_path().string()));
  FailPoint(FailPlace::kMigrationCopied);
  Log(LogLevel::kWarning, "database_migrated",
      {{"from", std::to_string(version)}, {"to", std::to_string(kVersion)}, {"copy", to}});
  return {};
}

Status Refused(const std::string& path, const std::string& why) {
  return Status(Reason::kConfigInvalid, "The database [" + path + "] " + why,
                {{"field", "server.state_directory"}, {"path", path}});
}

}  // namespace

Status WriteVersion(Database* database) {
  return database->Run("PRAGMA user_version=" + std::to_string(kVersion));
}

Status OpenSchema(Database* database, const std::string& path) {
  // Pages that results leave are given back to the file system bit by bit. It must come before the
  // first table.
  WB_TRY(database->Run("PRAGMA auto_vacuum=INCREMENTAL"));
  WB_TRY(database->Run(kSettings));
  WB_ASSIGN(const int64_t tables, database->Number("SELECT count(*) FROM sqlite_schema"));
  WB_ASSIGN(const int64_t application, database->Number("PRAGMA application_id"));
  WB_ASSIGN(const int64_t version, database->Number("PRAGMA user_version"));
  if (tables == 0 && application == 0 && version == 0) {
    return StepFrom(database, path, 0);
  }
  if (application != kApplication) {
    return Refused(path, "is not one of wasmburstd. Name another folder.");
  }
  if (version == kVersion) return {};
  if (version >= 1 && version < kVersion) {
    WB_TRY(CopyBefore(database, path, version));
    return StepFrom(database, path, version);
  }
  return Refused(path, "has version [" + std::to_string(version) + "], and this daemon reads [" +
                           std::to_string(kVersion) +
                           "]. Start the daemon that wrote it, or name another folder.");
}

}  // namespace wb
