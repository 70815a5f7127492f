#include "daemon/database/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "compiler/base/check.h"

namespace wb {
namespace {

// For a lock that another connection of ours holds: a reader while the log is emptied.
constexpr int kBusyMilliseconds = 10'000;
constexpr int kStepsBetweenQuestions = 100;  // of SQLite's own machine

int LastErrorOf(sqlite3_file* file) {
  int error = 0;
  if (file == nullptr || file->pMethods == nullptr) return 0;
  if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) != SQLITE_OK) return 0;
  return error;
}

// What the system said; 0: unknown. After a failed COMMIT sqlite3_system_errno() is of an earlier
// error: the files know better.
int SystemErrorOf(sqlite3* connection, int code) {
  if ((code & 0xff) == SQLITE_CANTOPEN) return sqlite3_system_errno(connection);
  if ((code & 0xff) != SQLITE_IOERR) return 0;
  for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
    sqlite3_file* file = nullptr;
    if (sqlite3_file_control(connection, "main", which, &file) != SQLITE_OK) continue;
    if (const int error = LastErrorOf(file); error != 0) return error;
  }
  return 0;
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::Reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  next_ = 1;
  bind_error_ = SQLITE_OK;
  return *this;
}

void Statement::NoteBound(int code) {
  if (code != SQLITE_OK && bind_error_ == SQLITE_OK) bind_error_ = code;
}

Statement& Statement::Bind(int64_t number) {
  NoteBound(sqlite3_bind_int64(statement_.get(), next_++, number));
  return *this;
}

Statement& Statement::Bind(std::string_view text) {
  NoteBound(sqlite3_bind_text64(statement_.get(), next_++, text.data(), text.size(),
                                SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::Bind(ByteView bytes) {
  // Without an address SQLite would bind null.
  static constexpr uint8_t kNothing = 0;
  const uint8_t* data = bytes.empty() ? &kNothing : bytes.data();
  NoteBound(sqlite3_bind_blob64(statement_.get(), next_++, data, bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::BindNull() {
  NoteBound(sqlite3_bind_null(statement_.get(), next_++));
  return *this;
}

Result<bool> Statement::Step() {
  if (bind_error_ != SQLITE_OK) return database_->Error(bind_error_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Status error = database_->Error(code);
  sqlite3_reset(statement_.get());
  return error;
}

Status Statement::Run() {
  while (true) {
    WB_ASSIGN(const bool row, Step());
    if (!row) break;
  }
  sqlite3_reset(statement_.get());
  return {};
}

int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::Text(int column) const {
  const Bytes bytes = Blob(column);
  return std::string(AsText(bytes));
}

Bytes Statement::Blob(int column) const {
  const auto* data = static_cast<const uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return data == nullptr ? Bytes() : Bytes(data, data + size);
}

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(const std::string& path, Mode mode,
                                                 const DiskCalls& disk) {
  // SQLite's own flag would refuse links in folders above too, which are the administrator's.
  std::error_code error;
  if (std::filesystem::is_symlink(path, error)) {
    return Status(Reason::kIoError,
                  "The database [" + path + "] is a symbolic link, which is not followed.",
                  {{"path", path}});
  }
  std::unique_ptr<Database> database(new Database(path, disk));
  const int flags =
      (mode == Mode::kWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY) |
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &connection, flags, disk.database_layer());
  database->connection_.reset(connection);
  if (code != SQLITE_OK) return database->Error(code);
  sqlite3_busy_timeout(connection, kBusyMilliseconds);
  return database;
}

Status Database::Run(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? Status() : Error(code);
}

void Database::EndWhen(std::function<bool()> is_unwanted) {
  is_unwanted_ = std::move(is_unwanted);
  sqlite3_progress_handler(
      connection_.get(), kStepsBetweenQuestions,
      [](void* question) { return (*static_cast<std::function<bool()>*>(question))() ? 1 : 0; },
      &is_unwanted_);
}

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return Error(code);
  return Statement(this, statement);
}

Result<int64_t> Database::Number(std::string_view sql) {
  WB_ASSIGN(Statement statement, Prepare(sql));
  WB_ASSIGN(const bool row, statement.Step());
  WB_CHECK(row);
  return statement.Int(0);
}

// SQLite takes a full disk for a failed write where a flush or a quota says so.
Status Database::Error(int code) const {
  const int error = connection_ == nullptr ? 0 : SystemErrorOf(connection_.get(), code);
  std::string words =
      connection_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection_.get());
  if ((code & 0xff) == SQLITE_INTERRUPT) {
    return Status(Reason::kCancelled,
                  "Nobody wants what the database [" + path_ + "] was read for.");
  }
  if (error != 0) words += ": " + std::system_category().message(error);
  const bool is_full = (code & 0xff) == SQLITE_FULL || error == ENOSPC || error == EDQUOT;
  return Status(is_full ? Reason::kNoSpace : Reason::kIoError,
                (is_full ? "The disk of the database [" : "The database [") + path_ +
                    (is_full ? "] is full: " : "] failed: ") + words + " (" + std::to_string(code) +
                    ").",
                {{"path", path_}});
}

int64_t Database::changes() const { return sqlite3_changes64(connection_.get()); }

int64_t Database::last_row() const { return sqlite3_last_insert_rowid(connection_.get()); }

Transaction::~Transaction() {
  // Some errors have undone it already; then this fails, which changes nothing.
  if (open_) (void)database_.Run("ROLLBACK");
}

Status Transaction::Begin() {
  WB_TRY(database_.Run("BEGIN IMMEDIATE"));
  open_ = true;
  return {};
}

Status Transaction::Commit() {
  WB_TRY(database_.Run("COMMIT"));
  open_ = false;
  return {};
}

}  // namespace wb
