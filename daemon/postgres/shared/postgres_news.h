#pragma once

// PostgresNews: which jobs have changed, as the hosts of a database tell each other (NOTIFY). What
// is told while no connection is there is lost: after each new one all must be looked at.
//
// Every host hears of every change, so each tells and hears the less often the more hosts there
// are: what has come together meanwhile is told at once.
//
// Threads: Await from one, all else from any.

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"

namespace wb {

// Between two times that a host of so many tells what has changed, or hears it. Pure.
std::chrono::microseconds NewsPace(uint64_t hosts);

class PostgresNews : public SharedNews {
 public:
  explicit PostgresNews(std::shared_ptr<PostgresDatabase> database);
  ~PostgresNews() override;
  PostgresNews(const PostgresNews&) = delete;
  PostgresNews& operator=(const PostgresNews&) = delete;

  // After the transaction that changed them. By the thread in Await, if there is one, else here,
  // over `connection`. What fails is not told: all look at everything now and then.
  void Tell(PostgresConnection* connection, const std::vector<std::string>& jobs);
  // Runs `query`, a transaction of one statement, and tells of the jobs that it changed: those in
  // its only column, or `job` if it is named. What is in that column.
  Result<std::vector<std::string>> RunTold(const PostgresQuery& query, const std::string& job = "");
  void SetHosts(uint64_t hosts) { hosts_ = hosts; }

  // Empty at once where it has connected.
  std::vector<std::string> Await(std::chrono::nanoseconds most) override;
  void Stop() override;

 private:
  using Time = std::chrono::steady_clock::time_point;
  bool Listens();
  void Pause(Time end) const;
  bool TellDue(Time now);
  Time NextStep(Time end);
  void DrainPipe() const;

  const std::shared_ptr<PostgresDatabase> database_;
  std::atomic<uint64_t> hosts_{1};
  std::array<int, 2> wake_{-1, -1};  // a pipe; what is written to it ends a wait
  std::atomic<bool> is_stopped_{false};
  std::atomic<bool> is_awaited_{false};  // by a thread that calls Await again and again

  Mutex mutex_;
  std::set<std::string> untold_ WB_GUARDED_BY(mutex_);

  // Of the thread that waits.
  std::unique_ptr<PostgresConnection> connection_;
  std::set<std::string> heard_;
  Time told_at_{};
  Time gave_at_{};  // heard jobs to the caller
};

}  // namespace wb
