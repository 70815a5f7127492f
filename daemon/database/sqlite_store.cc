#include "daemon/database/sqlite_store.h"

#include <cerrno>
#include <utility>

#include "daemon/database/byte_text.h"
#include "daemon/database/schema.h"
#include "daemon/process/fail_point.h"
#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {
namespace {

constexpr int64_t kFewFreePages = 4096;

struct Prepared {
  Statement* statement;
  const char* sql;
};

Status PrepareThem(Database* database, std::initializer_list<Prepared> statements) {
  for (const Prepared& prepared : statements) {
    WB_ASSIGN(*prepared.statement, database->Prepare(prepared.sql));
  }
  return {};
}

int64_t Signed(uint64_t number) { return static_cast<int64_t>(number); }

}  // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::Open(const std::string& folder,
                                                       const DiskCalls& disk) {
  const std::string path = folder + "/state.db";
  WB_ASSIGN(std::unique_ptr<Database> writer, Database::Open(path, Database::Mode::kWrite, disk));
  WB_TRY(OpenSchema(writer.get(), path));
  WB_ASSIGN(std::unique_ptr<Database> reader, Database::Open(path, Database::Mode::kRead, disk));
  std::unique_ptr<SqliteStore> store(new SqliteStore(folder, std::move(writer), std::move(reader)));
  WB_TRY(store->PrepareAll());
  return store;
}

Status SqliteStore::PrepareAll() {
  WB_TRY(PrepareThem(
      writer_.get(),
      {{&insert_job_, "INSERT INTO jobs(id, ended, request, shown, record) VALUES(?, ?, ?, ?, ?)"},
       {&insert_block_,
        "INSERT INTO blocks(job, first, count, bytes, instances) "
        "VALUES((SELECT key FROM jobs WHERE id = ?), ?, ?, ?, ?)"},
       {&insert_body_, "INSERT INTO bodies(key, checksum, data) VALUES(?, ?, ?)"},
       {&update_job_, "UPDATE jobs SET record = ? WHERE id = ?"},
       {&end_job_,
        "UPDATE jobs SET record = ?1, ended = 1, "
        "request = CASE WHEN length(request) <= 262144 THEN request END WHERE id = ?2"},
       {&delete_job_, "DELETE FROM jobs WHERE id = ?"},
       {&trash_job_, "INSERT INTO trash(job) SELECT key FROM jobs WHERE id = ?"},
       {&delete_trash_bodies_,
        "DELETE FROM bodies WHERE key IN (SELECT blocks.key FROM blocks JOIN trash "
        "ON blocks.job = trash.job ORDER BY blocks.key LIMIT 128)"},
       {&delete_trash_,
        "DELETE FROM blocks WHERE key IN (SELECT blocks.key FROM blocks JOIN trash "
        "ON blocks.job = trash.job ORDER BY blocks.key LIMIT 128)"},
       {&empty_trash_,
        "DELETE FROM trash WHERE NOT EXISTS(SELECT 1 FROM blocks WHERE blocks.job = trash.job)"},
       {&delete_bodies_,
        "DELETE FROM bodies WHERE key IN (SELECT key FROM blocks WHERE "
        "job = (SELECT key FROM jobs WHERE id = ?) AND first >= ? AND first < ?)"},
       // Which instances they were of is needed if the job goes on in another daemon.
       {&empty_blocks_,
        "UPDATE blocks SET bytes = 0 WHERE "
        "job = (SELECT key FROM jobs WHERE id = ?) AND first >= ? AND first < ?"}}));
  const MutexLock lock(mutex_);
  return PrepareThem(
      reader_.get(),
      {{&read_jobs_,
        "SELECT key, id, ended, CASE WHEN ended = 0 THEN request END, shown, record FROM jobs "
        "ORDER BY id"},
       {&read_request_, "SELECT request FROM jobs WHERE id = ?"},
       {&read_heads_,
        "SELECT first, count, bytes, instances FROM blocks WHERE job = ? ORDER BY first"},
       {&read_block_,
        "SELECT first, count, instances, checksum, data FROM blocks JOIN bodies USING(key) "
        "WHERE job = (SELECT key FROM jobs WHERE id = ?) AND first <= ? "
        "ORDER BY first DESC LIMIT 1"}});
}

Status SqliteStore::Commit(const StoreChange& change) {
  Transaction transaction(writer_.get());
  FailPoint(FailPlace::kCommitBegins);
  WB_TRY(transaction.Begin());
  WB_TRY(change.empty() ? WriteVersion(writer_.get()) : Write(change));
  FailPoint(FailPlace::kCommitWritten);
  WB_TRY(transaction.Commit());
  FailPoint(FailPlace::kCommitDone);
  return {};
}

Status SqliteStore::Write(const StoreChange& change) {
  for (const JobRow& job : change.created) {
    insert_job_.Reset().Bind(job.id).Bind(int64_t{job.ended}).Bind(AsBytes(job.request));
    WB_TRY(insert_job_.Bind(AsBytes(job.shown)).Bind(AsBytes(job.record)).Run());
  }
  for (const BlockRow& block : change.blocks) WB_TRY(Insert(block));
  for (const JobRow& job : change.changed) {
    Statement& statement = job.ended ? end_job_ : update_job_;
    WB_TRY(statement.Reset().Bind(AsBytes(job.record)).Bind(job.id).Run());
  }
  for (const StoreChange::Dropped& dropped : change.dropped) WB_TRY(Drop(dropped));
  for (const std::string& job : change.forgotten) WB_TRY(Forget(job));
  return {};
}

Status SqliteStore::Insert(const BlockRow& block) {
  insert_block_.Reset().Bind(block.job).Bind(Signed(block.first)).Bind(Signed(block.count));
  insert_block_.Bind(Signed(block.data.size())).Bind(AsBytes(block.instances));
  WB_TRY(insert_block_.Run());
  insert_body_.Reset().Bind(writer_->last_row()).Bind(Signed(Checksum(block.data)));
  return insert_body_.Bind(ByteView(block.data)).Run();
}

Status SqliteStore::Drop(const StoreChange::Dropped& dropped) {
  for (Statement* statement : {&delete_bodies_, &empty_blocks_}) {
    statement->Reset().Bind(dropped.job).Bind(Signed(dropped.from)).Bind(Signed(dropped.before));
    WB_TRY(statement->Run());
  }
  return {};
}

Status SqliteStore::Forget(const std::string& job) {
  WB_TRY(trash_job_.Reset().Bind(job).Run());
  has_trash_ = true;
  return delete_job_.Reset().Bind(job).Run();
}

Result<std::vector<BlockHead>> SqliteStore::Blocks(int64_t job) {
  std::vector<BlockHead> heads;
  read_heads_.Reset().Bind(job);
  while (true) {
    WB_ASSIGN(const bool row, read_heads_.Step());
    if (!row) return heads;
    BlockHead head;
    head.first = static_cast<uint64_t>(read_heads_.Int(0));
    head.count = static_cast<uint64_t>(read_heads_.Int(1));
    head.bytes = static_cast<uint64_t>(read_heads_.Int(2));
    head.instances = read_heads_.Text(3);
    heads.push_back(std::move(head));
  }
}

Status SqliteStore::LoadJobs(
    const std::function<Status(JobRow row, std::vector<BlockHead> blocks)>& visit) {
  const MutexLock lock(mutex_);
  read_jobs_.Reset();
  while (true) {
    WB_ASSIGN(const bool row, read_jobs_.Step());
    if (!row) return {};
    JobRow job;
    job.id = read_jobs_.Text(1);
    job.ended = read_jobs_.Int(2) != 0;
    job.request = read_jobs_.Text(3);
    job.shown = read_jobs_.Text(4);
    job.record = read_jobs_.Text(5);
    WB_ASSIGN(std::vector<BlockHead> blocks, Blocks(read_jobs_.Int(0)));
    WB_TRY(visit(std::move(job), std::move(blocks)));
  }
}

Result<std::string> SqliteStore::ReadRequest(const std::string& job) {
  const MutexLock lock(mutex_);
  WB_ASSIGN(const bool row, read_request_.Reset().Bind(job).Step());
  if (!row) return Status(Reason::kNotFound, "The job [" + job + "] is not in the database.");
  std::string request = read_request_.Text(0);
  read_request_.Reset();
  return request;
}

Result<BlockRow> SqliteStore::ReadBlock(const std::string& job, uint64_t position) {
  const MutexLock lock(mutex_);
  read_block_.Reset().Bind(job).Bind(Signed(position));
  WB_ASSIGN(const bool row, read_block_.Step());
  BlockRow block;
  if (row) {
    block.job = job;
    block.first = static_cast<uint64_t>(read_block_.Int(0));
    block.count = static_cast<uint64_t>(read_block_.Int(1));
    block.instances = read_block_.Text(2);
    block.data = read_block_.Blob(4);
  }
  const bool is_right = row && position - block.first < block.count &&
                        Checksum(block.data) == static_cast<uint64_t>(read_block_.Int(3));
  // An open statement keeps the log from being emptied.
  read_block_.Reset();
  if (is_right) return block;
  return Status(Reason::kBlobCorrupt,
                "Results of the job [" + job + "] from position [" + std::to_string(position) +
                    "] on are missing or damaged in [" + folder_ + "/state.db].",
                {{"path", folder_ + "/state.db"}});
}

Result<std::vector<std::string>> SqliteStore::FindDamage() {
  const MutexLock lock(mutex_);
  WB_ASSIGN(Statement check, reader_->Prepare("PRAGMA integrity_check"));
  std::vector<std::string> damage;
  while (true) {
    WB_ASSIGN(const bool row, check.Step());
    if (!row) return damage;
    std::string words = check.Text(0);
    if (words != "ok") damage.push_back(std::move(words));
  }
}

Status SqliteStore::Copy(const std::string& folder, const std::string& to_folder,
                         const std::function<bool()>& is_unwanted) {
  const std::string to = to_folder + "/state.db";
  WB_ASSIGN(std::unique_ptr<Database> database,
            Database::Open(folder + "/state.db", Database::Mode::kRead));
  if (is_unwanted) database->EndWhen(is_unwanted);
  WB_ASSIGN(Statement copy, database->Prepare("VACUUM INTO ?"));
  WB_TRY(copy.Bind(to).Run());
  const DiskFile file(to, O_RDONLY | O_NOFOLLOW);
  if (file.ok() && file.Flush() && FlushFolder(to_folder)) return {};
  return SystemError("The file " + Quoted(to) + " cannot be flushed", errno, {{"path", to}});
}

void SqliteStore::Tidy() {
  if (!has_trash_) return;
  if (RemoveTrash().ok()) (void)Shrink();
}

// Results of a large job are many GB: all at once would hold up every other commit.
Status SqliteStore::RemoveTrash() {
  Transaction transaction(writer_.get());
  WB_TRY(transaction.Begin());
  WB_TRY(delete_trash_bodies_.Reset().Run());
  WB_TRY(delete_trash_.Reset().Run());
  const bool is_done = writer_->changes() == 0;
  WB_TRY(empty_trash_.Reset().Run());
  FailPoint(FailPlace::kTidyWritten);
  WB_TRY(transaction.Commit());
  has_trash_ = !is_done;
  return {};
}

// Free pages are used again; where they are many, some go back to the file system.
Status SqliteStore::Shrink() {
  WB_ASSIGN(const int64_t free, writer_->Number("PRAGMA freelist_count"));
  WB_ASSIGN(const int64_t pages, writer_->Number("PRAGMA page_count"));
  if (free < kFewFreePages || free < pages / 4) return {};
  has_trash_ = true;
  return writer_->Run("PRAGMA incremental_vacuum(" + std::to_string(kFewFreePages) + ")");
}

}  // namespace wb
