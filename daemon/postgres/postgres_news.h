#pragma once

// PostgresNews: which jobs have changed, as the database tells its hosts (LISTEN). What is told
// while no connection is there is lost: after each new one all must be looked at.
//
// Threads: Await from one, Stop from any.

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "daemon/postgres/postgres_database.h"

namespace wb {

// Tells all hosts that jobs have changed, those that a column of rows names; "" is none. After the
// transaction that changed them.
Status TellOf(PostgresConnection* connection, const PostgresRows& rows, int column);

class PostgresNews {
 public:
  explicit PostgresNews(std::shared_ptr<PostgresDatabase> database);
  ~PostgresNews();
  PostgresNews(const PostgresNews&) = delete;
  PostgresNews& operator=(const PostgresNews&) = delete;

  // As SharedStore's AwaitNews. Empty at once where it has connected.
  std::vector<std::string> Await(std::chrono::nanoseconds most);
  void Stop();  // Await returns, now and from now on

 private:
  using Time = std::chrono::steady_clock::time_point;
  bool Listens();
  void Pause(Time end) const;

  const std::shared_ptr<PostgresDatabase> database_;
  std::array<int, 2> wake_{-1, -1};  // a pipe that Stop writes to
  std::atomic<bool> is_stopped_{false};
  std::unique_ptr<PostgresConnection> connection_;  // of the thread that waits
};

}  // namespace wb
