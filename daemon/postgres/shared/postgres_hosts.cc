#include "daemon/postgres/shared/postgres_hosts.h"

namespace wb {
namespace {

int64_t Microseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

std::vector<std::string> JobsIn(const PostgresRows& rows, int column) {
  std::vector<std::string> jobs;
  for (int i = 0; i < rows.size(); ++i) {
    if (const std::string job = rows.Text(i, column); !job.empty()) jobs.push_back(job);
  }
  return jobs;
}

}  // namespace

void HeardSpan::Heard(std::chrono::microseconds at) {
  times_.push_back(at);
  if (times_.size() > kMost) times_.pop_front();
}

bool HeardSpan::Covers(std::chrono::nanoseconds lease) const {
  for (size_t i = times_.size(); i-- > 1;) {
    const std::chrono::microseconds gap = times_[i] - times_[i - 1];
    if (gap >= lease || gap.count() < 0) return false;
    if (times_.back() - times_[i - 1] >= lease) return true;
  }
  return false;
}

// One whose answer is lost leaves a host that is never heard.
Status PostgresHosts::Enter() {
  return database_->Use([this](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery("INSERT INTO hosts(name, facts, entered, heard) "
                                            "VALUES($1, '', now(), now()) RETURNING id")
                                  .Text(database_->shared_by())));
    database_->BecomeHost(rows.Number(0, 0));
    return {};
  });
}

Status PostgresHosts::Beat(const std::string& facts) {
  std::chrono::microseconds at(0);
  const Status beat = database_->Use([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(
        const PostgresRows rows,
        connection->Run(
            PostgresQuery("SELECT beat($1, $2)").Number(database_->number()).Blob(AsBytes(facts))));
    at = std::chrono::microseconds(rows.Number(0, 0));
    return {};
  });
  {
    const MutexLock lock(mutex_);
    beat.ok() ? heard_.Heard(at) : heard_.Missed();
  }
  WB_TRY(beat);
  return doubts_.Settle();
}

Status PostgresHosts::Leave() {
  return database_->Use([this](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows jobs,
              connection->Run(PostgresQuery("SELECT leave($1)").Number(database_->number())));
    news_.Tell(connection, JobsIn(jobs, 0));
    return {};
  });
}

Result<std::vector<HostRow>> PostgresHosts::All() {
  std::vector<HostRow> hosts;
  WB_TRY(database_->Read([&hosts](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery(
                  "SELECT id, name, facts, (extract(epoch FROM now() - heard) * 1000000)::bigint, "
                  "dropped IS NOT NULL FROM hosts WHERE dropped IS NULL OR "
                  "dropped > now() - interval '1 minute' ORDER BY id")));
    for (int i = 0; i < rows.size(); ++i) {
      hosts.push_back({rows.Number(i, 0), rows.Text(i, 1), rows.Text(i, 2),
                       std::chrono::microseconds(rows.Number(i, 3)), rows.Number(i, 4) != 0});
    }
    return {};
  }));
  news_.SetHosts(hosts.size());
  return hosts;
}

Result<uint64_t> PostgresHosts::DropSilent(std::chrono::nanoseconds lease) {
  {
    const MutexLock lock(mutex_);
    if (!heard_.Covers(lease)) return uint64_t{0};
  }
  uint64_t dropped = 0;
  WB_TRY(database_->Use([this, lease, &dropped](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows,
              connection->Run(PostgresQuery("SELECT hosts_gone, their_jobs FROM "
                                            "drop_silent($1, $2 * interval '1 microsecond')")
                                  .Number(database_->number())
                                  .Number(Microseconds(lease))));
    for (int i = 0; i < rows.size(); ++i) dropped += static_cast<uint64_t>(rows.Number(i, 0));
    news_.Tell(connection, JobsIn(rows, 1));
    return {};
  }));
  return dropped;
}

Status PostgresHosts::RemoveOld(PostgresConnection* connection) {
  return connection
      ->Run(PostgresQuery("DELETE FROM hosts WHERE dropped < now() - interval '1 day'"))
      .status();
}

}  // namespace wb
