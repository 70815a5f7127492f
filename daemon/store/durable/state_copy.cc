#include "daemon/store/durable/state_copy.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "daemon/database/blob_folder.h"
#include "daemon/database/folder_lock.h"
#include "daemon/database/sqlite_store.h"
#include "daemon/database/state_file.h"
#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr const char* kOrders = "cordons";  // of a daemon before version 3 of the database

Status Invalid(const std::string& path, const std::string& what) {
  return Status(Reason::kConfigInvalid, "The folder " + Quoted(path) + " " + what,
                {{"path", path}});
}

bool HasState(const std::string& folder) {
  std::error_code error;
  return std::filesystem::exists(folder + "/state.db", error);
}

// A blob that went meanwhile was needed by nobody.
Status CopyBlobs(const std::string& from, const std::string& to) {
  std::error_code error;
  if (!std::filesystem::is_directory(from, error)) return {};
  const BlobFolder source = BlobFolder::Reading(from);
  WB_ASSIGN(const BlobFolder target, BlobFolder::Open(to));
  for (const BlobFolder::Entry& entry : source.List()) {
    const Result<Bytes> bytes = source.Look(entry.digest);
    if (bytes.status().reason() == Reason::kNotFound) continue;
    WB_TRY(bytes.status());
    WB_TRY(target.Put(entry.digest, *bytes));
  }
  return {};
}

Status CopyAll(const std::string& from, const std::string& to) {
  WB_TRY(SqliteStore::Copy(from, to));
  for (const char* blobs : {"/modules", "/inputs"}) WB_TRY(CopyBlobs(from + blobs, to + blobs));
  WB_ASSIGN(const std::optional<std::string> orders, ReadStateFile(from + "/" + kOrders));
  return orders ? WriteStateFile(to, kOrders, *orders) : Status();
}

}  // namespace

Status BackUpState(const std::string& folder, const std::string& to) {
  std::error_code error;
  if (!HasState(folder)) return Invalid(folder, "holds no daemon's state: it has no state.db.");
  if (std::filesystem::exists(to, error)) return Invalid(to, "is there already. Name a new one.");
  WB_TRY(MakeLastingFolder(to, "The folder of the backup"));
  Status copied = CopyAll(folder, to);
  if (!copied.ok()) std::filesystem::remove_all(to, error);
  return copied;
}

Status RestoreState(const std::string& backup, const std::string& folder) {
  if (!HasState(backup)) return Invalid(backup, "is no backup: it has no state.db.");
  WB_ASSIGN(const std::unique_ptr<FolderLock> lock, FolderLock::Take(folder));
  if (HasState(folder)) {
    return Invalid(folder, "holds a daemon's state already. Move it away, or name another folder.");
  }
  return CopyAll(backup, folder);
}

}  // namespace wb
