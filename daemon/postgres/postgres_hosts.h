#pragma once

// PostgresHosts: the hosts of a database that several daemons share, and this one among them. The
// part of SharedStore about hosts; see there.

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/postgres_news.h"

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

class PostgresHosts {
 public:
  // `news`, which lives longer, hears of jobs whose chunks come back.
  PostgresHosts(std::shared_ptr<PostgresDatabase> database, PostgresNews* news)
      : database_(std::move(database)), news_(news) {}

  Status Enter();
  Status Beat(const std::string& facts);
  Status Leave();
  Result<std::vector<HostRow>> Hosts();
  Result<uint64_t> DropSilent(std::chrono::nanoseconds lease);
  // Removes rows of hosts that were dropped long ago, in a transaction of the caller's.
  static Status RemoveOld(PostgresConnection* connection);

 private:
  const std::shared_ptr<PostgresDatabase> database_;
  PostgresNews* const news_;
  Mutex mutex_;
  HeardSpan heard_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
