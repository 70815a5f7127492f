#include "daemon/postgres/shared/postgres_chunks.h"

#include "daemon/postgres/shared/shared_commit.h"
#include "daemon/postgres/shared/shared_queries.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Of ended chunks, for commits that come again: longer than any of them is tried.
constexpr const char* kRemoveChunks =
    "DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE ended AND "
    "since < now() - interval '10 minutes' LIMIT 10000 FOR UPDATE SKIP LOCKED)";

}  // namespace

Result<std::optional<Chunk>> PostgresChunks::Claim(const std::string& job, uint64_t count,
                                                   uint32_t group) {
  WB_TRY(doubts_.Settle());
  const int64_t id = ChunkId(database_->number(), ++claims_);
  std::optional<Chunk> chunk;
  const Status claimed = database_->Use([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows, connection->Run(ClaimOf(id, job, count, group)));
    if (rows.size() == 0) return {};
    chunk =
        Chunk{id,
              job,
              {static_cast<uint64_t>(rows.Number(0, 0)), static_cast<uint64_t>(rows.Number(0, 1))},
              static_cast<uint32_t>(rows.Number(0, 2))};
    return {};
  });
  if (claimed.reason() == Reason::kMachineFault) doubts_.Add(id);
  WB_TRY(claimed);
  return chunk;
}

Status PostgresChunks::Commit(const std::string& job, const std::vector<ChunkResults>& results,
                              const DecideChange& decide) {
  SharedCommit commit(database_->number(), job, results, decide);
  return commit.Run(database_.get(), &news_);
}

Status PostgresChunks::GiveBackWith(const std::string& job, int64_t chunk,
                                    const DecideChange& decide) {
  const std::vector<ChunkResults> none;
  SharedCommit commit(database_->number(), job, none, decide);
  commit.AlsoGiveBack(chunk);
  return commit.Run(database_.get(), &news_);
}

Status PostgresChunks::GiveBack(int64_t chunk) {
  WB_ASSIGN(
      const std::vector<std::string> jobs,
      news_.RunTold(
          PostgresQuery("SELECT give_back($1, $2)").Number(database_->number()).Number(chunk)));
  if (!jobs.empty()) return {};
  return Status(Reason::kNotFound, "This host does not have the chunk " +
                                       Quoted(static_cast<uint64_t>(chunk)) + " any more.");
}

Status PostgresChunks::RemoveOld(PostgresConnection* connection) {
  return connection->Run(PostgresQuery(kRemoveChunks)).status();
}

}  // namespace wb
