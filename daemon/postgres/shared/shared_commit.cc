#include "daemon/postgres/shared/shared_commit.h"

#include "daemon/postgres/shared/shared_queries.h"
#include "daemon/postgres/stored_blocks.h"
#include "daemon/process/fail_point.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr const char* kCountAgain = "SELECT open, claimed FROM standing WHERE id = $1";
// Claims that are under way end first; those that come pass these ranges by.
constexpr const char* kHoldRanges = "SELECT 1 FROM ranges WHERE job = $1 FOR UPDATE";

}  // namespace

void SharedCommit::Refuse(Reason reason, const std::string& why) {
  refusal_ = Status(reason, "The job " + Quoted(job_) + " " + why, {{"job", job_}});
}

Status SharedCommit::Run(PostgresDatabase* database, PostgresNews* news) {
  WB_TRY(database->Use([&](PostgresConnection* connection) -> Status {
    Status run = RunOn(connection);
    if (run.ok() && has_changed_) news->Tell(connection, {job_});
    return run;
  }));
  return refusal_;
}

Status SharedCommit::RunOn(PostgresConnection* connection) {
  FailPoint(FailPlace::kCommitBegins);
  WB_TRY(Begin(connection));
  if (refusal_.ok() && !is_again_) WB_TRY(DecideOn(connection));
  if (!refusal_.ok() || is_again_) return connection->Script("ROLLBACK");
  WB_TRY(Write(connection));
  has_changed_ = true;
  FailPoint(FailPlace::kCommitDone);
  return {};
}

Status SharedCommit::Begin(PostgresConnection* connection) {
  WB_ASSIGN(
      const std::vector<PostgresRows> answers,
      connection->Ask({PostgresQuery("BEGIN"),
                       chunk_ ? TakeBack(host_, job_, *chunk_) : TakeResults(host_, job_, results_),
                       PostgresQuery(std::string(kSelectJobs) + "WHERE id = $1").Text(job_)}));
  const std::string outcome = answers[1].Text(0, 0);
  is_again_ = outcome == "again" && !results_.empty();
  if (outcome == "no job") Refuse(Reason::kNotFound, "is not in the database.");
  if (outcome == "no chunk") {
    Refuse(Reason::kNotFound,
           chunk_ ? "has no such chunk of this host any more."
                  : "has results of a chunk that this host does not have any more.");
  }
  if (outcome != "new") return {};
  for (const ChunkResults& result : results_) {
    for (const BlockRow& block : result.blocks) {
      count_ += block.count;
      bytes_ += block.data.size();
    }
  }
  if (static_cast<uint64_t>(answers[1].Number(0, 1)) != count_) {
    Refuse(Reason::kInternal, "has " + Quoted(count_) + " results of " +
                                  Quoted(static_cast<uint64_t>(answers[1].Number(0, 1))) +
                                  " instances.");
    return {};
  }
  before_ = SharedJobIn(answers[2], 0);
  return {};
}

// Claims go on meanwhile, and move instances from `open` to `claimed`. A decision that nobody may
// claim any more is made once more when none is under way, if it saw other numbers.
Status SharedCommit::DecideOn(PostgresConnection* connection) {
  SharedJob job = before_;
  job.next += count_;
  job.bytes += bytes_;
  Result<SharedChange> change = decide_(job);
  if (change.ok() && (change->closes_ranges || change->ends) && job.open > 0) {
    WB_ASSIGN(const std::vector<PostgresRows> counts,
              connection->Ask(
                  {PostgresQuery(kHoldRanges).Text(job_), PostgresQuery(kCountAgain).Text(job_)}));
    const uint64_t open = static_cast<uint64_t>(counts[1].Number(0, 0));
    if (open != job.open) {
      job.open = open;
      job.claimed = static_cast<uint64_t>(counts[1].Number(0, 1));
      change = decide_(job);
    }
  }
  if (change.ok()) {
    change_ = std::move(*change);
  } else {
    refusal_ = change.status();
  }
  return {};
}

Status SharedCommit::Write(PostgresConnection* connection) {
  std::vector<PlacedBlock> blocks;
  uint64_t position = before_.next;
  for (const ChunkResults& result : results_) {
    for (const BlockRow& block : result.blocks) {
      blocks.push_back({job_, position, &block});
      position += block.count;
    }
  }
  std::vector<PostgresQuery> queries;
  WB_TRY(PutBlocks(connection, blocks, &queries));
  queries.push_back(ChangeJob(job_, change_, count_, bytes_));
  queries.emplace_back("COMMIT");
  FailPoint(FailPlace::kCommitWritten);
  return connection->Batch(queries);
}

}  // namespace wb
