#include "daemon/postgres/shared_postgres.h"

#include <algorithm>

#include "daemon/postgres/shared_commit.h"
#include "daemon/postgres/shared_queries.h"
#include "daemon/postgres/stored_blocks.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr int64_t kMostForgotten = 64;
// Of ended chunks, for commits that come again: longer than any of them is tried.
constexpr const char* kRemoveChunks =
    "DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE ended AND "
    "since < now() - interval '10 minutes' LIMIT 10000 FOR UPDATE SKIP LOCKED)";

std::string Select(const char* rest) { return std::string(kSelectJobs) + rest; }

Status NoChunk(int64_t chunk) {
  return Status(Reason::kNotFound, "This host does not have the chunk " +
                                       Quoted(static_cast<uint64_t>(chunk)) + " any more.");
}

}  // namespace

// `query` is a transaction: one statement. The jobs that it changed are in its only column, or are
// `job`.
Result<std::vector<std::string>> SharedPostgres::Told(const PostgresQuery& query,
                                                      const std::string& job) {
  std::vector<std::string> answer;
  WB_TRY(database_->Use([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows, connection->Run(query));
    for (int i = 0; i < rows.size(); ++i) answer.push_back(rows.Text(i, 0));
    news_.Tell(connection, job.empty() ? answer : std::vector<std::string>{job});
    return {};
  }));
  return answer;
}

Result<std::vector<SharedJob>> SharedPostgres::Jobs(const PostgresQuery& query) {
  std::vector<SharedJob> jobs;
  WB_TRY(database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows, connection->Run(query));
    for (int i = 0; i < rows.size(); ++i) jobs.push_back(SharedJobIn(rows, i));
    return {};
  }));
  return jobs;
}

Result<std::vector<HostRow>> SharedPostgres::Hosts() {
  WB_ASSIGN(std::vector<HostRow> hosts, hosts_.Hosts());
  news_.SetHosts(hosts.size());
  return hosts;
}

Status SharedPostgres::Beat(const std::string& facts) {
  WB_TRY(hosts_.Beat(facts));
  return SettleDoubts();
}

Result<std::string> SharedPostgres::Create(const NewSharedJob& job) {
  WB_ASSIGN(const std::vector<std::string> ids, Told(CreateJob(host(), job)));
  return ids.at(0);
}

Result<std::optional<SharedJob>> SharedPostgres::Find(const std::string& id) {
  WB_ASSIGN(std::vector<SharedJob> jobs, Jobs(PostgresQuery(Select("WHERE id = $1")).Text(id)));
  if (jobs.empty()) return std::optional<SharedJob>();
  return std::optional<SharedJob>(std::move(jobs[0]));
}

Result<std::optional<std::string>> SharedPostgres::FindRequest(const std::string& tenant,
                                                               const std::string& request_key) {
  std::optional<std::string> id;
  WB_TRY(database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery("SELECT id FROM shared_jobs WHERE tenant = $1 AND "
                                            "request_key = $2 AND request_key <> ''")
                                  .Text(tenant)
                                  .Text(request_key)));
    if (rows.size() > 0) id = rows.Text(0, 0);
    return {};
  }));
  return id;
}

Result<std::vector<SharedJob>> SharedPostgres::List(uint32_t states,
                                                    const std::optional<std::string>& tenant,
                                                    const std::string& after, size_t limit) {
  const char* const where =
      tenant
          ? "WHERE ($1 >> state::int) & 1 = 1 AND ($2 = '' OR id < $2) AND tenant = $4 "
            "ORDER BY id DESC LIMIT $3"
          : "WHERE ($1 >> state::int) & 1 = 1 AND ($2 = '' OR id < $2) ORDER BY id DESC LIMIT $3";
  PostgresQuery query(Select(where));
  query.Number(states).Text(after).Number(static_cast<int64_t>(limit));
  if (tenant) query.Text(*tenant);
  return Jobs(query);
}

Result<std::vector<std::pair<std::string, uint64_t>>> SharedPostgres::Versions() {
  std::vector<std::pair<std::string, uint64_t>> versions;
  WB_TRY(database_->Read([&versions](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery("SELECT id, version FROM shared_jobs ORDER BY id")));
    for (int i = 0; i < rows.size(); ++i) {
      versions.emplace_back(rows.Text(i, 0), static_cast<uint64_t>(rows.Number(i, 1)));
    }
    return {};
  }));
  return versions;
}

Result<std::vector<SharedJob>> SharedPostgres::Claimable(size_t limit) {
  return Jobs(PostgresQuery(Select("WHERE NOT ended AND EXISTS(SELECT 1 FROM ranges "
                                   "WHERE ranges.job = standing.id) ORDER BY id LIMIT $1"))
                  .Number(static_cast<int64_t>(limit)));
}

Result<std::string> SharedPostgres::ReadRequest(const std::string& job) {
  return ReadStoredRequest(database_.get(), JobTable::kSharedJobs, job);
}

Status SharedPostgres::Change(const std::string& job, const Decide& decide) {
  return Commit(job, {}, decide);
}

Status SharedPostgres::Forget(const std::string& job) {
  return Told(PostgresQuery("SELECT forget_one($1, $2)").Number(host()).Text(job), job).status();
}

Result<uint64_t> SharedPostgres::ForgetExpired() {
  WB_ASSIGN(
      const std::vector<std::string> jobs,
      Told(PostgresQuery("SELECT forget_expired($1, $2)").Number(host()).Number(kMostForgotten)));
  return uint64_t{jobs.size()};
}

Status SharedPostgres::Drop(const std::string& job, uint64_t before) {
  return Told(PostgresQuery("SELECT drop_results($1, $2, $3)")
                  .Number(host())
                  .Text(job)
                  .Number(Signed(before)),
              job)
      .status();
}

Result<bool> SharedPostgres::DropUnread(const std::string& job) {
  bool dropped = false;
  WB_TRY(database_->Use([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(
        const PostgresRows rows,
        connection->Run(PostgresQuery("SELECT drop_unread($1, $2)").Number(host()).Text(job)));
    dropped = rows.Number(0, 0) != 0;
    if (dropped) news_.Tell(connection, {job});
    return {};
  }));
  return dropped;
}

Status SharedPostgres::NoteReaders(const std::vector<std::string>& jobs,
                                   std::chrono::nanoseconds time) {
  if (jobs.empty()) return {};
  return database_->Use([&](PostgresConnection* connection) {
    return connection->Run(ReadersOf(host(), jobs, time)).status();
  });
}

Result<BlockRow> SharedPostgres::ReadBlock(const std::string& job, uint64_t position) {
  return ReadStoredBlock(database_.get(), JobTable::kSharedJobs, job, position);
}

// Numbers do not repeat within a host: it would have to make 2^32 claims.
int64_t SharedPostgres::NextChunk() { return host() << 32 | ++chunks_; }

void SharedPostgres::NoteDoubt(int64_t chunk) {
  const MutexLock lock(mutex_);
  doubts_.push_back(chunk);
}

// Those of an earlier host were given back when it was dropped.
Status SharedPostgres::SettleDoubts() {
  std::vector<int64_t> doubts;
  {
    const MutexLock lock(mutex_);
    doubts.swap(doubts_);
  }
  Status settled;
  for (const int64_t chunk : doubts) {
    if (chunk >> 32 != host()) continue;
    if (settled.ok()) settled = Settle(chunk);
    if (!settled.ok()) NoteDoubt(chunk);
  }
  return settled;
}

Result<std::optional<Chunk>> SharedPostgres::Claim(const std::string& job, uint64_t count,
                                                   uint32_t group) {
  WB_TRY(SettleDoubts());
  const int64_t id = NextChunk();
  std::optional<Chunk> chunk;
  const Status claimed = database_->Use([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery("SELECT begins, taken, tries FROM "
                                            "claim($1, $2, $3, $4, $5)")
                                  .Number(id >> 32)
                                  .Number(id)
                                  .Text(job)
                                  .Number(static_cast<int64_t>(count))
                                  .Number(std::max<int64_t>(group, 1))));
    if (rows.size() == 0) return {};
    chunk =
        Chunk{id,
              job,
              {static_cast<uint64_t>(rows.Number(0, 0)), static_cast<uint64_t>(rows.Number(0, 1))},
              static_cast<uint32_t>(rows.Number(0, 2))};
    return {};
  });
  if (claimed.reason() == Reason::kMachineFault) NoteDoubt(id);
  WB_TRY(claimed);
  return chunk;
}

Status SharedPostgres::Commit(const std::string& job, const std::vector<ChunkResults>& results,
                              const Decide& decide) {
  SharedCommit commit(host(), job, results, decide);
  return Run(job, &commit);
}

Status SharedPostgres::GiveBackWith(const std::string& job, int64_t chunk, const Decide& decide) {
  const std::vector<ChunkResults> none;
  SharedCommit commit(host(), job, none, decide);
  commit.AlsoGiveBack(chunk);
  return Run(job, &commit);
}

Status SharedPostgres::Run(const std::string& job, SharedCommit* commit) {
  WB_TRY(database_->Use([&](PostgresConnection* connection) -> Status {
    Status run = commit->Run(connection);
    if (run.ok() && commit->has_changed()) news_.Tell(connection, {job});
    return run;
  }));
  return commit->refusal();
}

Status SharedPostgres::GiveBack(int64_t chunk) {
  WB_ASSIGN(const std::vector<std::string> jobs,
            Told(PostgresQuery("SELECT give_back($1, $2)").Number(host()).Number(chunk)));
  return jobs.empty() ? NoChunk(chunk) : Status();
}

Status SharedPostgres::Settle(int64_t chunk) {
  return Told(PostgresQuery("SELECT settle_claim($1, $2)").Number(host()).Number(chunk)).status();
}

// What fails is tried the next time.
void SharedPostgres::Tidy() {
  (void)database_->Write([](PostgresConnection* connection) -> Status {
    WB_TRY(RemoveTrash(connection).status());
    WB_TRY(connection->Run(PostgresQuery(kRemoveChunks)).status());
    return PostgresHosts::RemoveOld(connection);
  });
}

}  // namespace wb
