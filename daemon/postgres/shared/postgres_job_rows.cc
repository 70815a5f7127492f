#include "daemon/postgres/shared/postgres_job_rows.h"

#include "daemon/postgres/shared/shared_commit.h"
#include "daemon/postgres/shared/shared_queries.h"
#include "daemon/postgres/stored_blocks.h"

namespace wb {
namespace {

constexpr int64_t kMostForgotten = 64;

std::string Select(const char* rest) { return std::string(kSelectJobs) + rest; }

}  // namespace

Result<std::vector<SharedJob>> PostgresJobRows::Jobs(const PostgresQuery& query) {
  std::vector<SharedJob> jobs;
  WB_TRY(database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows, connection->Run(query));
    for (int i = 0; i < rows.size(); ++i) jobs.push_back(SharedJobIn(rows, i));
    return {};
  }));
  return jobs;
}

Result<std::string> PostgresJobRows::Create(const NewSharedJob& job) {
  WB_ASSIGN(const std::vector<std::string> ids, news_.RunTold(CreateJob(database_->number(), job)));
  return ids.at(0);
}

Result<std::optional<SharedJob>> PostgresJobRows::Find(const std::string& id) {
  WB_ASSIGN(std::vector<SharedJob> jobs, Jobs(PostgresQuery(Select("WHERE id = $1")).Text(id)));
  if (jobs.empty()) return std::optional<SharedJob>();
  return std::optional<SharedJob>(std::move(jobs[0]));
}

Result<std::optional<std::string>> PostgresJobRows::FindRequest(const std::string& tenant,
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

Result<std::vector<SharedJob>> PostgresJobRows::List(uint32_t states,
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

Result<std::vector<std::pair<std::string, uint64_t>>> PostgresJobRows::Versions() {
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

Result<std::vector<SharedJob>> PostgresJobRows::Claimable(size_t limit) {
  return Jobs(PostgresQuery(Select("WHERE NOT ended AND EXISTS(SELECT 1 FROM ranges "
                                   "WHERE ranges.job = standing.id) ORDER BY id LIMIT $1"))
                  .Number(static_cast<int64_t>(limit)));
}

Result<std::string> PostgresJobRows::ReadRequest(const std::string& job) {
  return ReadStoredRequest(database_.get(), JobTable::kSharedJobs, job);
}

Status PostgresJobRows::Change(const std::string& job, const DecideChange& decide) {
  const std::vector<ChunkResults> none;
  SharedCommit commit(database_->number(), job, none, decide);
  return commit.Run(database_.get(), &news_);
}

Status PostgresJobRows::Forget(const std::string& job) {
  return news_
      .RunTold(PostgresQuery("SELECT forget_one($1, $2)").Number(database_->number()).Text(job),
               job)
      .status();
}

Result<uint64_t> PostgresJobRows::ForgetExpired() {
  WB_ASSIGN(const std::vector<std::string> jobs,
            news_.RunTold(PostgresQuery("SELECT forget_expired($1, $2)")
                              .Number(database_->number())
                              .Number(kMostForgotten)));
  return uint64_t{jobs.size()};
}

Status PostgresJobRows::Drop(const std::string& job, uint64_t before) {
  return news_
      .RunTold(PostgresQuery("SELECT drop_results($1, $2, $3)")
                   .Number(database_->number())
                   .Text(job)
                   .Number(Signed(before)),
               job)
      .status();
}

Result<bool> PostgresJobRows::DropUnread(const std::string& job) {
  bool dropped = false;
  WB_TRY(database_->Use([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(
        const PostgresRows rows,
        connection->Run(
            PostgresQuery("SELECT drop_unread($1, $2)").Number(database_->number()).Text(job)));
    dropped = rows.Number(0, 0) != 0;
    if (dropped) news_.Tell(connection, {job});
    return {};
  }));
  return dropped;
}

Status PostgresJobRows::NoteReaders(const std::vector<std::string>& jobs,
                                    std::chrono::nanoseconds time) {
  if (jobs.empty()) return {};
  return database_->Use([&](PostgresConnection* connection) {
    return connection->Run(ReadersOf(database_->number(), jobs, time)).status();
  });
}

Result<BlockRow> PostgresJobRows::ReadBlock(const std::string& job, uint64_t position) {
  return ReadStoredBlock(database_.get(), JobTable::kSharedJobs, job, position);
}

}  // namespace wb
