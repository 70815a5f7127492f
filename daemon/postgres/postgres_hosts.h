#pragma once

// PostgresHosts: the hosts of a database that several daemons share, and this one among them. The
// part of SharedStore about hosts; see there.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"

namespace wb {

// HeardSpan: for how long the database has heard a host without a gap. A host that was cut off, or
// whose server was away, must not judge others by what it missed. Pure.
class HeardSpan {
 public:
  using Clock = std::chrono::steady_clock;

  void Heard(Clock::time_point now) {
    if (!since_) since_ = now;
    last_ = now;
  }
  void Missed() { since_.reset(); }
  // For as long as a lease, and within the last one.
  bool Covers(std::chrono::nanoseconds lease, Clock::time_point now) const {
    return since_ && now - *since_ >= lease && now - last_ < lease;
  }

 private:
  std::optional<Clock::time_point> since_;  // of the first time after the last gap
  Clock::time_point last_;
};

class PostgresHosts {
 public:
  explicit PostgresHosts(std::shared_ptr<PostgresDatabase> database)
      : database_(std::move(database)) {}

  Status Enter();
  Status Beat(const std::string& facts);
  Status Leave();
  Result<std::vector<HostRow>> Hosts();
  Result<uint64_t> DropSilent(std::chrono::nanoseconds lease);
  // Removes rows of hosts that were dropped long ago, in a transaction of the caller's.
  static Status RemoveOld(PostgresConnection* connection);

 private:
  const std::shared_ptr<PostgresDatabase> database_;
  Mutex mutex_;
  HeardSpan heard_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
