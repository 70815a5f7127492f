#pragma once

// Database and Statement: SQLite's connection and its prepared statements (sqlite.org/c3ref), with
// Status for errors.
//
// Threads: one at a time for a connection and its statements.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "scheduler/base/disk_calls.h"

struct sqlite3;
struct sqlite3_stmt;

namespace wb {

class Database;

// Parameters are bound in the order of the calls, columns read in the order of the row.
class Statement {
 public:
  Statement() = default;

  // The statement starts anew, without parameters.
  Statement& Reset();
  Statement& Bind(int64_t number);
  Statement& Bind(std::string_view text);
  Statement& Bind(ByteView bytes);  // copied
  Statement& BindNull();

  // True: a row is there. The first error of a Bind comes here too.
  Result<bool> Step();
  Status Run();  // until no row is left
  int64_t Int(int column) const;
  std::string Text(int column) const;
  Bytes Blob(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(Database* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}
  void NoteBound(int code);

  Database* database_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int next_ = 1;
  int bind_error_ = 0;
};

class Database {
 public:
  enum class Mode : uint8_t { kWrite, kRead };
  // Makes the file with kWrite. The disk outlives it. NOSPACE, IO_ERROR.
  static Result<std::unique_ptr<Database>> Open(const std::string& path, Mode mode,
                                                const DiskCalls& disk = SystemDisk());
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Status Run(const std::string& sql);  // statements without rows
  // Statements end with CANCELLED soon after this says so; it is asked on their thread.
  void EndWhen(std::function<bool()> is_unwanted);
  Result<Statement> Prepare(std::string_view sql);
  Result<int64_t> Number(std::string_view sql);  // of a statement with one row of one column
  // NOSPACE: the disk is full. IO_ERROR: all else, in SQLite's words and the system's.
  Status Error(int code) const;
  int64_t changes() const;   // rows of the last statement
  int64_t last_row() const;  // key of the last insertion
  const DiskCalls& disk() const { return disk_; }

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  Database(std::string path, const DiskCalls& disk) : path_(std::move(path)), disk_(disk) {}

  const std::string path_;
  const DiskCalls& disk_;
  std::function<bool()> is_unwanted_;
  std::unique_ptr<sqlite3, Close> connection_;
};

// Begins a transaction; without Commit all of it is undone.
class Transaction {
 public:
  explicit Transaction(Database* database) : database_(*database) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Status Begin();
  Status Commit();

 private:
  Database& database_;
  bool open_ = false;
};

}  // namespace wb
