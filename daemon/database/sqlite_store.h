#pragma once

// SqliteStore: a DurableStore in a folder of this machine: `state.db` (SQLite 3, write-ahead log).
//
// Results lie in the database too, in blocks of at most some hundred KiB: so that a commit is one
// flush, whatever it holds, and a backup is one file.
//
// Threads: Commit from one; all else from any. Two connections: one writes, one reads.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/database.h"
#include "daemon/database/durable_store.h"

namespace wb {

class SqliteStore : public DurableStore {
 public:
  // The folder exists, and this process alone uses it. The disk outlives the store. Errors as
  // OpenSchema's.
  static Result<std::unique_ptr<SqliteStore>> Open(const std::string& folder,
                                                   const DiskCalls& disk = SystemDisk());

  Status Commit(const StoreChange& change) override;
  Status LoadJobs(
      const std::function<Status(JobRow row, std::vector<BlockHead> blocks)>& visit) override;
  Result<BlockRow> ReadBlock(const std::string& job, uint64_t position) override;
  Result<std::string> ReadRequest(const std::string& job) override;
  void Tidy() override;

  // What SQLite finds wrong with the file, in its words; empty: nothing.
  Result<std::vector<std::string>> FindDamage();
  // The database as it is now, as a file of its own that is flushed. Others may read and write
  // meanwhile. IO_ERROR: also where the file is there already. CANCELLED: `is_unwanted` said so.
  static Status Copy(const std::string& folder, const std::string& to_folder,
                     const std::function<bool()>& is_unwanted = {});

 private:
  SqliteStore(std::string folder, std::unique_ptr<Database> writer,
              std::unique_ptr<Database> reader)
      : folder_(std::move(folder)), writer_(std::move(writer)), reader_(std::move(reader)) {}
  Status PrepareAll();
  Status Write(const StoreChange& change);
  Status Insert(const BlockRow& block);
  Status Drop(const StoreChange::Dropped& dropped);
  Status Forget(const std::string& job);
  Status RemoveTrash();
  Status Shrink();
  Result<std::vector<BlockHead>> Blocks(int64_t job) WB_REQUIRES(mutex_);

  const std::string folder_;
  bool has_trash_ = true;  // of the thread that commits; an earlier daemon may have left some
  // Of the thread that commits.
  const std::unique_ptr<Database> writer_;
  Statement insert_job_;
  Statement insert_block_;
  Statement insert_body_;
  Statement update_job_;
  Statement end_job_;
  Statement trash_job_;
  Statement delete_job_;
  Statement delete_trash_bodies_;
  Statement delete_trash_;
  Statement empty_trash_;
  Statement empty_blocks_;
  Statement delete_bodies_;

  Mutex mutex_;
  const std::unique_ptr<Database> reader_ WB_GUARDED_BY(mutex_);
  Statement read_block_ WB_GUARDED_BY(mutex_);
  Statement read_jobs_ WB_GUARDED_BY(mutex_);
  Statement read_request_ WB_GUARDED_BY(mutex_);
  Statement read_heads_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
