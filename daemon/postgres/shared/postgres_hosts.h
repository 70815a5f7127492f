#pragma once

// PostgresHosts: SharedHosts in a PostgreSQL database.
//
// Threads: any.

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/shared/claim_doubts.h"
#include "daemon/postgres/shared/postgres_news.h"

namespace wb {

// HeardSpan: for how long a host has been heard without a gap, by the database's time. One that was
// cut off, or whose server was away or whose time leapt, must not judge others by what it missed.
// Pure.
class HeardSpan {
 public:
  void Heard(std::chrono::microseconds at);
  void Missed() { times_.clear(); }
  // Whether it was heard for as long as a lease, and never less often.
  bool Covers(std::chrono::nanoseconds lease) const;

 private:
  static constexpr size_t kMost = 1024;
  std::deque<std::chrono::microseconds> times_;
};

class PostgresHosts : public SharedHosts {
 public:
  // `news` and `doubts` live longer. Claims in doubt are settled when this host is heard.
  PostgresHosts(std::shared_ptr<PostgresDatabase> database, PostgresNews* news, ClaimDoubts* doubts)
      : database_(std::move(database)), news_(*news), doubts_(*doubts) {}

  Status Enter() override;
  int64_t id() const override { return database_->number(); }
  bool is_dropped() const override { return database_->is_refused(); }
  Status Beat(const std::string& facts) override;
  Status Leave() override;
  Result<std::vector<HostRow>> All() override;
  Result<uint64_t> DropSilent(std::chrono::nanoseconds lease) override;
  // Removes rows of hosts that were dropped long ago, in a transaction of the caller's.
  static Status RemoveOld(PostgresConnection* connection);

 private:
  const std::shared_ptr<PostgresDatabase> database_;
  PostgresNews& news_;
  ClaimDoubts& doubts_;
  Mutex mutex_;
  HeardSpan heard_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
