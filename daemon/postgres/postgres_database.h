#pragma once

// PostgresDatabase: the database of a daemon: its connections, and its right to write.
//
// Alone (no settings.shared_by): one daemon at a time has a store: it holds an advisory lock, which
// ends with its session, and a number of the table `fence`, which the next daemon raises. So a
// daemon that was paused or cut off for so long that another took over stores nothing more,
// whatever it believes.
//
// Shared: every session holds that lock together with those of the other daemons. The number is the
// id of a host (postgres_hosts.h), 0 before it has one: then nothing can be written.
//
// Threads: any, but for the commits' connection.

#include <atomic>
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
  // Connects, makes the tables and takes the store over, or shares it. CONFIG_INVALID: another
  // daemon has it, or has it in the other way, or as OpenPostgresSchema; else as
  // PostgresConnection.
  static Result<std::shared_ptr<PostgresDatabase>> Open(const PostgresSettings& settings);
  ~PostgresDatabase();

  using Work = std::function<Status(PostgresConnection* connection)>;
  // `work` reads, on a connection of its own; more than a few wait. MACHINE_FAULT at once
  // while the server does not answer.
  Status Read(const Work& work);
  // The same, as a transaction that holds the number: all of it or nothing. After MACHINE_FAULT it
  // may be all.
  Status Write(const Work& work);
  // As Read; `work` makes transactions of its own, and each begins with its right to write.
  Status Use(const Work& work) { return With(work); }

  // The connection of the commits, which also holds the lock. From one thread at a time, as
  // GiveUpWriter, which ends the session after an error.
  Result<PostgresConnection*> Writer();
  void GiveUpWriter();
  // The first statement of a transaction of the writer.
  PostgresQuery Hold(bool alone) const;

  // Shared: the host that this is from now on.
  void BecomeHost(int64_t id) { number_ = id; }
  int64_t number() const { return number_; }
  const std::string& shared_by() const { return settings_.shared_by; }
  // Whether the number was refused, as far as this one has heard.
  bool is_refused() const { return refused_ == number_; }
  // A connection beside the others, of the caller's.
  Result<std::unique_ptr<PostgresConnection>> Connect();

  const std::string& place() const { return place_; }

 private:
  static constexpr size_t kMostReaders = 8;
  static constexpr size_t kMostOfHost = 4;  // the server has one set of them for each host
  using Session = std::unique_ptr<PostgresConnection>;

  explicit PostgresDatabase(PostgresSettings settings);
  size_t most_readers() const { return is_shared() ? kMostOfHost : kMostReaders; }
  bool is_shared() const { return !settings_.shared_by.empty(); }
  Result<Session> OpenSession();
  Status TakeLock(PostgresConnection* connection);
  Status TakeOver();
  Status AwaitLock(PostgresConnection* connection);
  Status With(const Work& work);
  Result<Session> TakeReader();
  void GiveBack(Session session);

  const PostgresSettings settings_;
  const std::string place_;
  std::atomic<int64_t> number_{0};
  std::atomic<int64_t> refused_{-1};  // the last number that was
  Session writer_;                    // of the thread that commits
  bool gave_up_ = false;              // likewise: one was ended, and none was had since

  Mutex mutex_;
  CondVar came_back_;
  std::vector<Session> idle_ WB_GUARDED_BY(mutex_);
  size_t readers_ WB_GUARDED_BY(mutex_) = 0;  // idle or not
  RetryPace pace_ WB_GUARDED_BY(mutex_);
  Status trouble_ WB_GUARDED_BY(mutex_);  // of the last attempt to connect
};

}  // namespace wb
