#pragma once

// PostgresDatabase: the database of one daemon: its connections, and its right to write.
//
// One daemon at a time has a store: it holds an advisory lock, which ends with its session, and a
// number of the table `fence`, which the next daemon raises. So a daemon that was paused or cut off
// for so long that another took over stores nothing more, whatever it believes.
//
// Threads: any, but for the commits' connection.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/postgres/postgres_connection.h"
#include "daemon/postgres/retry_pace.h"

namespace wb {

class PostgresDatabase {
 public:
  // Connects, makes the tables and takes the store over. CONFIG_INVALID: another daemon has it, or
  // as OpenPostgresSchema; else as PostgresConnection.
  static Result<std::shared_ptr<PostgresDatabase>> Open(const PostgresSettings& settings);
  ~PostgresDatabase();

  using Work = std::function<Status(PostgresConnection* connection)>;
  // `work` reads, on a connection of its own; more than kMostReaders wait. MACHINE_FAULT at once
  // while the server does not answer.
  Status Read(const Work& work);
  // The same, as a transaction that holds the number: all of it or nothing. After MACHINE_FAULT it
  // may be all.
  Status Write(const Work& work);

  // The connection of the commits, which also holds the lock. From one thread at a time, as
  // GiveUpWriter, which ends the session after an error.
  Result<PostgresConnection*> Writer();
  void GiveUpWriter();
  // The first statement of a transaction of the writer.
  PostgresQuery Hold(bool alone) const;

  const std::string& place() const { return place_; }

 private:
  static constexpr size_t kMostReaders = 8;
  using Session = std::unique_ptr<PostgresConnection>;

  explicit PostgresDatabase(PostgresSettings settings);
  Result<Session> Connect();
  Status TakeLock(PostgresConnection* connection);
  Status TakeOver();
  Status With(const Work& work);
  Result<Session> TakeReader();
  void GiveBack(Session session);

  const PostgresSettings settings_;
  const std::string place_;
  int64_t number_ = 0;  // of the fence; set before others see this
  Session writer_;      // of the thread that commits

  Mutex mutex_;
  CondVar came_back_;
  std::vector<Session> idle_ WB_GUARDED_BY(mutex_);
  size_t readers_ WB_GUARDED_BY(mutex_) = 0;  // idle or not
  RetryPace pace_ WB_GUARDED_BY(mutex_);
  Status trouble_ WB_GUARDED_BY(mutex_);  // of the last attempt to connect
};

}  // namespace wb
