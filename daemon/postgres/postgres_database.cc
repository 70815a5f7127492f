#include "daemon/postgres/postgres_database.h"

#include <unistd.h>

#include <thread>
#include <utility>

#include "daemon/config/postgres_address.h"
#include "daemon/postgres/postgres_errors.h"
#include "daemon/postgres/postgres_schema.h"
#include "daemon/process/log.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Whether it was given, and whether those that have it share it.
constexpr const char* kTryLock =
    "SELECT pg_try_advisory_lock(6296, 2), EXISTS(SELECT 1 FROM pg_locks WHERE locktype = "
    "'advisory' AND classid = 6296 AND objid = 2 AND mode = 'ShareLock' AND database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database()))";
constexpr const char* kTrySharedLock = "SELECT pg_try_advisory_lock_shared(6296, 2), false";
// A daemon that was just killed may still have a session, and so may this one.
constexpr int kLockTries = 50;
constexpr std::chrono::milliseconds kLockPause{100};

std::string ThisDaemon() {
  char host[256] = "";
  (void)gethostname(host, sizeof(host) - 1);
  return std::string(host) + " process " + std::to_string(getpid());
}

void WarnOfUnsafe(PostgresConnection* connection) {
  const Result<PostgresRows> rows =
      connection->Run(PostgresQuery("SELECT current_setting('fsync') = 'off' OR "
                                    "current_setting('full_page_writes') = 'off'"));
  if (!rows.ok() || rows->Number(0, 0) == 0) return;
  Log(LogLevel::kWarning, "database_unsafe",
      {{"database", connection->place()},
       {"error", "fsync or full_page_writes is off: a power loss loses what was acknowledged"}});
}

}  // namespace

PostgresDatabase::PostgresDatabase(PostgresSettings settings)
    : settings_(std::move(settings)), place_(PostgresPlace(settings_.address)) {}

PostgresDatabase::~PostgresDatabase() = default;

Result<std::shared_ptr<PostgresDatabase>> PostgresDatabase::Open(const PostgresSettings& settings) {
  std::shared_ptr<PostgresDatabase> database(new PostgresDatabase(settings));
  WB_TRY(database->TakeOver());
  return database;
}

Status PostgresDatabase::TakeOver() {
  WB_ASSIGN(Session session, PostgresConnection::Open(settings_));
  WB_TRY(AwaitLock(session.get()));
  WB_TRY(OpenPostgresSchema(session.get()));
  WB_ASSIGN(const PostgresRows rows,
            session->Run(PostgresQuery("UPDATE fence SET number = number + 1, holder = $1, "
                                       "since = now() RETURNING number")
                             .Text(ThisDaemon())));
  WarnOfUnsafe(session.get());
  if (is_shared()) {
    const MutexLock lock(mutex_);
    idle_.push_back(std::move(session));
    ++readers_;
    return {};
  }
  number_ = rows.Number(0, 0);
  writer_ = std::move(session);
  return {};
}

Status PostgresDatabase::AwaitLock(PostgresConnection* connection) {
  Status locked = TakeLock(connection);
  for (int i = 1; i < kLockTries && locked.reason() == Reason::kConfigInvalid; ++i) {
    std::this_thread::sleep_for(kLockPause);
    locked = TakeLock(connection);
  }
  return locked;
}

Status PostgresDatabase::TakeLock(PostgresConnection* connection) {
  WB_ASSIGN(const PostgresRows rows,
            connection->Run(PostgresQuery(is_shared() ? kTrySharedLock : kTryLock)));
  if (rows.Number(0, 0) != 0) return {};
  const std::vector<Detail> details = {{"setting", "store.postgres"}, {"database", place_}};
  if (is_shared()) {
    return Status(Reason::kConfigInvalid,
                  "A daemon that shares with no other uses the database at " + Quoted(place_) +
                      ". Stop it, give it [cluster.host] too, or name another database in "
                      "[store.postgres].",
                  details);
  }
  if (rows.Number(0, 1) != 0) {
    return Status(Reason::kConfigInvalid,
                  "Several daemons share the database at " + Quoted(place_) +
                      ". Give this one a name in [cluster.host] too, stop the others, or name "
                      "another database in [store.postgres].",
                  details);
  }
  return Status(Reason::kConfigInvalid,
                "Another daemon uses the database at " + Quoted(place_) +
                    ". Stop it, or name another database in [store.postgres].",
                details);
}

// Where the lock cannot be had later on, that may pass.
Result<PostgresDatabase::Session> PostgresDatabase::OpenSession() {
  WB_ASSIGN(Session session, PostgresConnection::Open(settings_));
  if (!is_shared()) return session;
  const Status locked = TakeLock(session.get());
  if (locked.ok()) return session;
  return Status(Reason::kMachineFault, locked.message(), locked.details());
}

// One at a time tries, and all hear of it.
Result<PostgresDatabase::Session> PostgresDatabase::Connect() {
  {
    const MutexLock lock(mutex_);
    if (!trouble_.ok() && !pace_.MayTry(RetryPace::Clock::now())) return trouble_;
    if (!trouble_.ok()) pace_.Failed(RetryPace::Clock::now());  // others wait for this attempt
  }
  Result<Session> session = OpenSession();
  const MutexLock lock(mutex_);
  if (session.ok()) {
    pace_.Succeeded();
  } else if (trouble_.ok()) {
    pace_.Failed(RetryPace::Clock::now());
  }
  trouble_ = session.status();
  return session;
}

// The server may keep the lock of a session that has just ended for a moment.
Result<PostgresConnection*> PostgresDatabase::Writer() {
  if (writer_ != nullptr && writer_->IsAlive()) return writer_.get();
  GiveUpWriter();
  WB_ASSIGN(Session session, Connect());
  const Status locked = gave_up_ ? AwaitLock(session.get()) : TakeLock(session.get());
  gave_up_ = false;
  if (!locked.ok()) {
    return Status(Reason::kMachineFault, locked.message(), locked.details());
  }
  writer_ = std::move(session);
  return writer_.get();
}

void PostgresDatabase::GiveUpWriter() {
  gave_up_ = gave_up_ || writer_ != nullptr;
  writer_.reset();
}

PostgresQuery PostgresDatabase::Hold(bool alone) const {
  if (is_shared()) return PostgresQuery("SELECT hold_host($1)").Number(number_);
  return PostgresQuery("SELECT hold($1, $2)").Number(number_).Flag(alone);
}

Result<PostgresDatabase::Session> PostgresDatabase::TakeReader() {
  {
    const MutexLock lock(mutex_);
    while (idle_.empty() && readers_ >= most_readers()) came_back_.Wait(mutex_);
    while (!idle_.empty()) {
      Session session = std::move(idle_.back());
      idle_.pop_back();
      if (session->IsAlive()) return session;
      --readers_;
    }
    ++readers_;
  }
  Result<Session> session = Connect();
  if (!session.ok()) GiveBack(nullptr);
  return session;
}

// Null: it was given up.
void PostgresDatabase::GiveBack(Session session) {
  {
    const MutexLock lock(mutex_);
    if (session != nullptr) {
      idle_.push_back(std::move(session));
    } else {
      --readers_;
    }
  }
  came_back_.NotifyOne();
}

Status PostgresDatabase::With(const Work& work) {
  WB_ASSIGN(Session session, TakeReader());
  const int64_t number = number_;
  Status status = work(session.get());
  if (IsRefusal(status)) refused_ = number;
  // What a failure left open ends with the session.
  if (!status.ok()) session.reset();
  GiveBack(std::move(session));
  return status;
}

Status PostgresDatabase::Read(const Work& work) { return With(work); }

Status PostgresDatabase::Write(const Work& work) {
  return With([this, &work](PostgresConnection* connection) -> Status {
    WB_TRY(connection->Batch({PostgresQuery("BEGIN"), Hold(false)}));
    WB_TRY(work(connection));
    return connection->Script("COMMIT");
  });
}

}  // namespace wb
