#include "daemon/postgres/store_queries.h"

#include "daemon/database/byte_text.h"
#include "daemon/postgres/copy_rows.h"

namespace wb {
namespace {

constexpr size_t kFewBlocks = 4;
constexpr size_t kFewBytes = size_t{64} << 10;

}  // namespace

std::vector<PlacedBlock> AsPlaced(const std::vector<BlockRow>& blocks) {
  std::vector<PlacedBlock> placed;
  for (const BlockRow& block : blocks) placed.push_back({block.job, block.first, &block});
  return placed;
}

bool AreCopied(const std::vector<PlacedBlock>& blocks) {
  size_t bytes = 0;
  for (const PlacedBlock& placed : blocks) bytes += placed.block->data.size();
  return blocks.size() > kFewBlocks || bytes > kFewBytes;
}

void AddCreated(const StoreChange& change, std::vector<PostgresQuery>* queries) {
  for (const JobRow& job : change.created) {
    queries->push_back(
        PostgresQuery(
            "INSERT INTO jobs(id, ended, request, shown, record) VALUES($1, $2, $3, $4, $5)")
            .Text(job.id)
            .Flag(job.ended)
            .Blob(AsBytes(job.request))
            .Blob(AsBytes(job.shown))
            .Blob(AsBytes(job.record)));
  }
}

void AddBlocks(const std::vector<PlacedBlock>& blocks, std::vector<PostgresQuery>* queries) {
  for (const auto& [job, first, block] : blocks) {
    queries->push_back(PostgresQuery("INSERT INTO blocks(job, first, count, bytes, instances) "
                                     "VALUES($1, $2, $3, $4, $5)")
                           .Text(job)
                           .Number(Signed(first))
                           .Number(Signed(block->count))
                           .Number(Signed(block->data.size()))
                           .Blob(AsBytes(block->instances)));
    queries->push_back(
        PostgresQuery("INSERT INTO bodies(job, first, checksum, data) VALUES($1, $2, $3, $4)")
            .Text(job)
            .Number(Signed(first))
            .Number(Signed(Checksum(block->data)))
            .Blob(block->data));
  }
}

void AddChanged(const StoreChange& change, std::vector<PostgresQuery>* queries) {
  for (const JobRow& job : change.changed) {
    queries->push_back(
        job.ended ? PostgresQuery("UPDATE jobs SET record = $1, ended = true, request = CASE WHEN "
                                  "length(request) <= $3 THEN request END WHERE id = $2")
                        .Blob(AsBytes(job.record))
                        .Text(job.id)
                        .Number(Signed(DurableStore::kMostKeptRequest))
                  : PostgresQuery("UPDATE jobs SET record = $1 WHERE id = $2")
                        .Blob(AsBytes(job.record))
                        .Text(job.id));
  }
  // Which instances they were of is needed if the job goes on in another daemon.
  for (const StoreChange::Dropped& dropped : change.dropped) {
    for (const char* sql :
         {"DELETE FROM bodies WHERE job = $1 AND first >= $2 AND first < $3",
          "UPDATE blocks SET bytes = 0 WHERE job = $1 AND first >= $2 AND first < $3"}) {
      queries->push_back(PostgresQuery(sql)
                             .Text(dropped.job)
                             .Number(Signed(dropped.from))
                             .Number(Signed(dropped.before)));
    }
  }
  for (const std::string& job : change.forgotten) {
    queries->push_back(
        PostgresQuery("INSERT INTO trash(job) SELECT id FROM jobs WHERE id = $1").Text(job));
    queries->push_back(PostgresQuery("DELETE FROM jobs WHERE id = $1").Text(job));
  }
}

CopiedBlocks CopyOf(const std::vector<PlacedBlock>& blocks) {
  CopyRows heads(5);
  CopyRows bodies(4);
  for (const auto& [job, first, block] : blocks) {
    heads.Row().Text(job).Number(Signed(first)).Number(Signed(block->count));
    heads.Number(Signed(block->data.size())).Blob(AsBytes(block->instances));
    bodies.Row().Text(job).Number(Signed(first));
    bodies.Number(Signed(Checksum(block->data))).Blob(block->data);
  }
  return {std::move(heads).Take(), std::move(bodies).Take()};
}

}  // namespace wb
