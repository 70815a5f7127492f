#include "daemon/store/durable/state_check.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "daemon/database/blob_folder.h"
#include "daemon/database/folder_lock.h"
#include "daemon/database/result_block.h"
#include "daemon/database/sqlite_store.h"
#include "daemon/store/durable/instance_text.h"
#include "daemon/store/durable/job_record_text.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

struct Job {
  JobRow row;
  std::vector<BlockHead> blocks;
};

class Checker {
 public:
  Checker(SqliteStore* store, StateFindings* findings) : store_(*store), findings_(*findings) {}

  Status CheckJobs() {
    std::vector<Job> jobs;
    WB_TRY(store_.LoadJobs([&jobs](JobRow row, std::vector<BlockHead> blocks) -> Status {
      jobs.push_back({std::move(row), std::move(blocks)});
      return {};
    }));
    for (const Job& job : jobs) CheckJob(job);
    findings_.jobs = jobs.size();
    return {};
  }

 private:
  void Note(const std::string& job, const std::string& what) {
    findings_.problems.push_back("The job " + Quoted(job) + " " + what);
  }

  void CheckJob(const Job& job) {
    const std::string& id = job.row.id;
    const Result<DurableRecord> record = DecodeRecord(job.row.record);
    if (!record.ok()) return Note(id, "has a damaged record: " + record.status().message());
    if (!job.row.ended && job.row.request.empty()) Note(id, "has lost its request.");
    uint64_t next = 0;
    InstanceSet instances;
    for (const BlockHead& block : job.blocks) {
      if (block.first != next) Note(id, "has no results at position " + Quoted(next) + ".");
      next = block.first + block.count;
      if (!AddInstances(block.instances, &instances).ok()) Note(id, "has a damaged block.");
      if (block.bytes > 0) CheckBlock(id, block);
    }
    findings_.results += next;
    if (next != record->totals.counts.finished) {
      Note(id, "says that it has " + Quoted(record->totals.counts.finished) +
                   " results; its blocks have " + Quoted(next) + ".");
    }
    if (instances.count() != next) Note(id, "has results of an instance twice.");
  }

  void CheckBlock(const std::string& id, const BlockHead& head) {
    const Result<BlockRow> block = store_.ReadBlock(id, head.first);
    if (!block.ok()) return findings_.problems.push_back(block.status().message());
    constexpr uint64_t kAtATime = 1 << 20;  // of a range of instances that ended alike
    const auto results = ReadResultBlock(block->data, 0, kAtATime);
    if (!results.ok() || results->size() != std::min(head.count, kAtATime)) {
      Note(id, "has a damaged block at position " + Quoted(head.first) + ".");
    }
  }

  SqliteStore& store_;
  StateFindings& findings_;
};

void CheckBlobs(const std::string& folder, StateFindings* findings) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return;
  const BlobFolder blobs = BlobFolder::Reading(folder);
  for (const BlobFolder::Entry& entry : blobs.List()) {
    const Status read = blobs.Look(entry.digest).status();
    if (!read.ok()) findings->problems.push_back(read.message());
    ++findings->blobs;
  }
}

}  // namespace

Result<StateFindings> CheckState(const std::string& folder,
                                 const std::function<void(const std::string&)>& progress) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder + "/state.db", error)) {
    return Status(Reason::kConfigInvalid,
                  "There is no daemon's state in " + Quoted(folder) + ": it has no state.db.",
                  {{"path", folder}});
  }
  WB_ASSIGN(const std::unique_ptr<FolderLock> lock, FolderLock::Take(folder));
  StateFindings findings;
  progress("the database");
  WB_ASSIGN(const std::unique_ptr<SqliteStore> store, SqliteStore::Open(folder));
  WB_ASSIGN(std::vector<std::string> damage, store->FindDamage());
  for (std::string& words : damage) findings.problems.push_back("state.db: " + std::move(words));
  progress("jobs and their results");
  WB_TRY(Checker(store.get(), &findings).CheckJobs());
  for (const char* blobs : {"modules", "inputs"}) {
    progress(blobs);
    CheckBlobs(folder + "/" + blobs, &findings);
  }
  return findings;
}

}  // namespace wb
