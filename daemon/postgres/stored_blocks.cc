#include "daemon/postgres/stored_blocks.h"

#include "daemon/database/byte_text.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Of a job that is forgotten: all at once would hold up every other commit.
constexpr int64_t kMostTidied = 128;

struct TableRow {
  const char* request;
  const char* block;
};
// By JobTable.
// The block is found first: a join in order would pass all blocks behind it.
constexpr TableRow kTables[] = {
    {"SELECT request FROM jobs WHERE id = $1",
     "SELECT first, count, instances, checksum, data FROM blocks JOIN bodies USING(job, first) "
     "WHERE job = $1 AND first = (SELECT max(first) FROM blocks WHERE job = $1 AND first <= $2) "
     "AND EXISTS(SELECT 1 FROM jobs WHERE id = $1)"},
    {"SELECT request FROM shared_jobs WHERE id = $1",
     "SELECT first, count, instances, checksum, data FROM blocks JOIN bodies USING(job, first) "
     "WHERE job = $1 AND first = (SELECT max(first) FROM blocks WHERE job = $1 AND first <= $2) "
     "AND EXISTS(SELECT 1 FROM shared_jobs WHERE id = $1)"}};

const TableRow& RowOf(JobTable table) { return kTables[static_cast<size_t>(table)]; }

}  // namespace

Result<BlockRow> ReadStoredBlock(PostgresDatabase* database, JobTable table, const std::string& job,
                                 uint64_t position) {
  BlockRow block;
  bool is_right = false;
  WB_TRY(database->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(
        const PostgresRows rows,
        connection->Run(
            PostgresQuery(RowOf(table).block).Text(job).Number(static_cast<int64_t>(position))));
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
                    " on are missing or damaged in the database at " + Quoted(database->place()) +
                    ".",
                {{"database", database->place()}});
}

Result<std::string> ReadStoredRequest(PostgresDatabase* database, JobTable table,
                                      const std::string& job) {
  std::string request;
  bool is_there = false;
  WB_TRY(database->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery(RowOf(table).request).Text(job)));
    is_there = rows.size() > 0;
    if (is_there) request = rows.Text(0, 0);
    return {};
  }));
  if (is_there) return request;
  return Status(Reason::kNotFound, "The job " + Quoted(job) + " is not in the database.");
}

Status PutBlocks(PostgresConnection* connection, const std::vector<PlacedBlock>& blocks,
                 std::vector<PostgresQuery>* queries) {
  if (!AreCopied(blocks)) {
    AddBlocks(blocks, queries);
    return {};
  }
  if (!queries->empty()) WB_TRY(connection->Batch(*queries));
  queries->clear();
  const CopiedBlocks copied = CopyOf(blocks);
  WB_TRY(connection->Copy(CopiedBlocks::kHeads, copied.heads));
  return connection->Copy(CopiedBlocks::kBodies, copied.bodies);
}

// Several may do this at once.
Result<uint64_t> RemoveTrash(PostgresConnection* connection) {
  WB_ASSIGN(const PostgresRows removed,
            connection->Run(
                PostgresQuery("WITH few AS (SELECT job, first FROM blocks JOIN trash USING(job) "
                              "LIMIT $1 FOR UPDATE OF blocks SKIP LOCKED), "
                              "gone AS (DELETE FROM bodies USING few WHERE "
                              "bodies.job = few.job AND bodies.first = few.first) "
                              "DELETE FROM blocks USING few WHERE blocks.job = few.job AND "
                              "blocks.first = few.first RETURNING 1")
                    .Number(kMostTidied)));
  WB_TRY(connection
             ->Run(PostgresQuery("DELETE FROM trash WHERE NOT EXISTS(SELECT 1 FROM blocks "
                                 "WHERE blocks.job = trash.job)"))
             .status());
  return static_cast<uint64_t>(removed.size());
}

}  // namespace wb
