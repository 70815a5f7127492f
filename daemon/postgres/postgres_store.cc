#include "daemon/postgres/postgres_store.h"

#include "daemon/postgres/store_queries.h"
#include "daemon/postgres/stored_blocks.h"
#include "daemon/process/fail_point.h"

namespace wb {
namespace {

// Of jobs; their requests, which may be long, are read one at a time.
constexpr int64_t kPage = 64;

}  // namespace

Status PostgresStore::Commit(const StoreChange& change) {
  FailPoint(FailPlace::kCommitBegins);
  WB_ASSIGN(PostgresConnection* const writer, database_->Writer());
  const Status written = Write(writer, change);
  if (!written.ok()) {
    // Whatever else the server refused it has undone.
    if (written.reason() == Reason::kMachineFault) NoteDoubt(change);
    database_->GiveUpWriter();
    return written;
  }
  doubt_ = {};
  has_trash_ = has_trash_ || !change.forgotten.empty();
  FailPoint(FailPlace::kCommitDone);
  return {};
}

// An empty change writes the time.
Status PostgresStore::Write(PostgresConnection* writer, const StoreChange& change) {
  std::vector<PostgresQuery> queries = {PostgresQuery("BEGIN"), database_->Hold(!doubt_.empty())};
  AddUndoing(&queries);
  AddCreated(change, &queries);
  WB_TRY(PutBlocks(writer, AsPlaced(change.blocks), &queries));
  AddChanged(change, &queries);
  if (change.empty()) queries.emplace_back("UPDATE fence SET tried = now()");
  queries.emplace_back("COMMIT");
  FailPoint(FailPlace::kCommitWritten);
  return writer->Batch(queries);
}

void PostgresStore::AddUndoing(std::vector<PostgresQuery>* queries) const {
  for (const auto& [job, first] : doubt_.blocks) {
    for (const char* sql : {"DELETE FROM blocks WHERE job = $1 AND first = $2",
                            "DELETE FROM bodies WHERE job = $1 AND first = $2"}) {
      queries->push_back(PostgresQuery(sql).Text(job).Number(static_cast<int64_t>(first)));
    }
  }
  for (const std::string& job : doubt_.jobs) {
    queries->push_back(PostgresQuery("DELETE FROM jobs WHERE id = $1").Text(job));
  }
}

void PostgresStore::NoteDoubt(const StoreChange& change) {
  for (const JobRow& job : change.created) doubt_.jobs.insert(job.id);
  for (const BlockRow& block : change.blocks) doubt_.blocks.emplace(block.job, block.first);
}

Status PostgresStore::LoadPage(const std::string& after, std::vector<JobRow>* jobs) {
  jobs->clear();
  return database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery("SELECT id, ended, shown, record FROM jobs "
                                            "WHERE id > $1 ORDER BY id LIMIT $2")
                                  .Text(after)
                                  .Number(kPage)));
    for (int i = 0; i < rows.size(); ++i) {
      JobRow& job = jobs->emplace_back();
      job.id = rows.Text(i, 0);
      job.ended = rows.Number(i, 1) != 0;
      job.shown = rows.Text(i, 2);
      job.record = rows.Text(i, 3);
    }
    return {};
  });
}

Status PostgresStore::LoadBlocks(const std::vector<JobRow>& jobs,
                                 std::map<std::string, std::vector<BlockHead>>* blocks) {
  blocks->clear();
  return database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(
        const PostgresRows rows,
        connection->Run(PostgresQuery("SELECT job, first, count, bytes, instances FROM blocks "
                                      "WHERE job >= $1 AND job <= $2 ORDER BY job, first")
                            .Text(jobs.front().id)
                            .Text(jobs.back().id)));
    for (int i = 0; i < rows.size(); ++i) {
      BlockHead& head = (*blocks)[rows.Text(i, 0)].emplace_back();
      head.first = static_cast<uint64_t>(rows.Number(i, 1));
      head.count = static_cast<uint64_t>(rows.Number(i, 2));
      head.bytes = static_cast<uint64_t>(rows.Number(i, 3));
      head.instances = rows.Text(i, 4);
    }
    return {};
  });
}

// Nobody else writes meanwhile.
Status PostgresStore::LoadJobs(
    const std::function<Status(JobRow row, std::vector<BlockHead> blocks)>& visit) {
  std::vector<JobRow> jobs;
  std::map<std::string, std::vector<BlockHead>> blocks;
  std::string after;
  while (true) {
    WB_TRY(LoadPage(after, &jobs));
    if (jobs.empty()) return {};
    WB_TRY(LoadBlocks(jobs, &blocks));
    after = jobs.back().id;
    for (JobRow& job : jobs) {
      if (!job.ended) {
        WB_ASSIGN(job.request, ReadRequest(job.id));
      }
      std::vector<BlockHead> heads = std::move(blocks[job.id]);
      WB_TRY(visit(std::move(job), std::move(heads)));
    }
  }
}

Result<std::string> PostgresStore::ReadRequest(const std::string& job) {
  return ReadStoredRequest(database_.get(), JobTable::kJobs, job);
}

Result<BlockRow> PostgresStore::ReadBlock(const std::string& job, uint64_t position) {
  return ReadStoredBlock(database_.get(), JobTable::kJobs, job, position);
}

void PostgresStore::Tidy() {
  if (!has_trash_) return;
  const Result<PostgresConnection*> writer = database_->Writer();
  if (!writer.ok()) return;
  const auto tidied = [this, writer = *writer]() -> Status {
    WB_TRY(writer->Batch({PostgresQuery("BEGIN"), database_->Hold(false)}));
    WB_ASSIGN(const uint64_t removed, RemoveTrash(writer));
    FailPoint(FailPlace::kTidyWritten);
    WB_TRY(writer->Script("COMMIT"));
    has_trash_ = removed > 0;
    return {};
  };
  if (!tidied().ok()) database_->GiveUpWriter();
}

}  // namespace wb
