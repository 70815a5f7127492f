#include "daemon/postgres/postgres_store.h"

#include "daemon/database/byte_text.h"
#include "daemon/postgres/store_queries.h"
#include "daemon/process/fail_point.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Of jobs; their requests, which may be long, are read one at a time.
constexpr int64_t kPage = 64;
// Of a job that is forgotten: all at once would hold up every other commit.
constexpr int64_t kMostTidied = 128;

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
  if (AreCopied(change.blocks)) {
    WB_TRY(writer->Batch(queries));
    queries.clear();
    const CopiedBlocks copied = CopyOf(change.blocks);
    WB_TRY(writer->Copy(CopiedBlocks::kHeads, copied.heads));
    WB_TRY(writer->Copy(CopiedBlocks::kBodies, copied.bodies));
  } else {
    AddBlocks(change.blocks, &queries);
  }
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
  std::string request;
  bool is_there = false;
  WB_TRY(database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery("SELECT request FROM jobs WHERE id = $1").Text(job)));
    is_there = rows.size() > 0;
    if (is_there) request = rows.Text(0, 0);
    return {};
  }));
  if (is_there) return request;
  return Status(Reason::kNotFound, "The job " + Quoted(job) + " is not in the database.");
}

Result<BlockRow> PostgresStore::ReadBlock(const std::string& job, uint64_t position) {
  BlockRow block;
  bool is_right = false;
  WB_TRY(database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(
                  PostgresQuery("SELECT first, count, instances, checksum, data FROM blocks "
                                "JOIN bodies USING(job, first) WHERE job = $1 AND first <= $2 "
                                "AND EXISTS(SELECT 1 FROM jobs WHERE id = $1) "
                                "ORDER BY first DESC LIMIT 1")
                      .Text(job)
                      .Number(static_cast<int64_t>(position))));
    if (rows.size() == 0) return {};
    block.job = job;
    block.first = static_cast<uint64_t>(rows.Number(0, 0));
    block.count = static_cast<uint64_t>(rows.Number(0, 1));
    block.instances = rows.Text(0, 2);
    block.data = rows.Blob(0, 4);
    is_right = position - block.first < block.count &&
               Checksum(block.data) == static_cast<uint64_t>(rows.Number(0, 3));
    return {};
  }));
  if (is_right) return block;
  return Status(Reason::kBlobCorrupt,
                "Results of the job " + Quoted(job) + " from position " + Quoted(position) +
                    " on are missing or damaged in the database at " + Quoted(database_->place()) +
                    ".",
                {{"database", database_->place()}});
}

void PostgresStore::Tidy() {
  if (!has_trash_) return;
  const Result<PostgresConnection*> writer = database_->Writer();
  if (!writer.ok()) return;
  const auto tidied = [this, writer = *writer]() -> Status {
    WB_TRY(writer->Batch({PostgresQuery("BEGIN"), database_->Hold(false)}));
    WB_ASSIGN(const PostgresRows removed,
              writer->Run(
                  PostgresQuery("WITH few AS (SELECT job, first FROM blocks JOIN trash USING(job) "
                                "LIMIT $1), gone AS (DELETE FROM bodies USING few WHERE "
                                "bodies.job = few.job AND bodies.first = few.first) "
                                "DELETE FROM blocks USING few WHERE blocks.job = few.job AND "
                                "blocks.first = few.first RETURNING 1")
                      .Number(kMostTidied)));
    FailPoint(FailPlace::kTidyWritten);
    WB_TRY(writer->Batch({PostgresQuery("DELETE FROM trash WHERE NOT EXISTS(SELECT 1 FROM blocks "
                                        "WHERE blocks.job = trash.job)"),
                          PostgresQuery("COMMIT")}));
    has_trash_ = removed.size() > 0;
    return {};
  };
  if (!tidied().ok()) database_->GiveUpWriter();
}

}  // namespace wb
