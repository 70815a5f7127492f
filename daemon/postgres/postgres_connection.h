#pragma once

// PostgresConnection: one session of a PostgreSQL server, with Status for errors. Values travel in
// binary form.
//
// Threads: one at a time. A call waits for the server, at most for as long as a statement may take
// and some seconds more. After a failure that left something open it is of no use any more.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "daemon/postgres/postgres_settings.h"

struct pg_conn;
struct pg_result;

namespace wb {

struct Libpq;

// A statement with its parameters, $1 first.
class PostgresQuery {
 public:
  explicit PostgresQuery(std::string sql) : sql_(std::move(sql)) {}
  PostgresQuery& Number(int64_t number);  // bigint
  PostgresQuery& Flag(bool flag);         // boolean
  PostgresQuery& Text(std::string_view text);
  PostgresQuery& Blob(ByteView bytes);  // bytea
  const std::string& sql() const { return sql_; }

 private:
  friend class PostgresConnection;
  PostgresQuery& Add(uint32_t type, std::string bytes);
  std::string sql_;
  std::vector<uint32_t> types_;
  std::vector<std::string> values_;
};

// What a statement answered. Columns are read as the types that they have there.
class PostgresRows {
 public:
  PostgresRows(const Libpq* pq, pg_result* result);
  int size() const;
  int64_t Number(int row, int column) const;  // of 2, 4 or 8 bytes, or a boolean
  std::string Text(int row, int column) const;
  Bytes Blob(int row, int column) const;

 private:
  friend class PostgresConnection;
  pg_result* raw() const { return result_.get(); }
  std::string_view Value(int row, int column) const;  // empty: NULL
  const Libpq* pq_;
  std::shared_ptr<pg_result> result_;
};

class PostgresConnection {
 public:
  // MACHINE_FAULT: the server does not answer, or does not let the user in. CONFIG_INVALID: the
  // address cannot be read, or the library is not there.
  static Result<std::unique_ptr<PostgresConnection>> Open(const PostgresSettings& settings);
  ~PostgresConnection();
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  // Errors as PostgresError's.
  Result<PostgresRows> Run(const PostgresQuery& query);
  Status Script(const std::string& sql);  // statements without parameters
  // One after another, without waiting for each. The first error; those behind it have not run.
  Status Batch(const std::vector<PostgresQuery>& queries);
  // The same; what each answered.
  Result<std::vector<PostgresRows>> Ask(const std::vector<PostgresQuery>& queries);
  // `sql`: COPY ... FROM STDIN (FORMAT binary); `rows`: CopyRows.
  Status Copy(const std::string& sql, const std::string& rows);

  // Waits until the server has told something (NOTIFY), or `wake` can be read, at most until `end`:
  // the payloads that have come, perhaps none.
  using Time = std::chrono::steady_clock::time_point;
  Result<std::vector<std::string>> AwaitNotices(int wake, Time end);

  // Whether the server has not closed it; asks nobody.
  bool IsAlive();
  const std::string& place() const { return place_; }

 private:
  struct Finish {
    const Libpq* pq;
    void operator()(pg_conn* connection) const;
  };
  PostgresConnection(const Libpq* pq, pg_conn* connection, const PostgresSettings& settings);
  Status Send(const PostgresQuery& query);
  Status BatchPart(const PostgresQuery* first, const PostgresQuery* end,
                   std::vector<PostgresRows>* answers);
  Status RunAll(const std::vector<PostgresQuery>& queries, std::vector<PostgresRows>* answers);
  // The next answer, or null after the last one of a statement.
  Result<pg_result*> Next();
  Result<PostgresRows> Answers();  // all of a statement; the last one
  // These are false where the time is over or the connection is lost.
  bool AwaitSent(Time end);
  bool AwaitAnswer(Time end);
  bool AwaitSocket(bool has_unsent, Time end);
  Time End() const { return std::chrono::steady_clock::now() + patience_; }
  Status Outcome(pg_result* result) const;
  Status Lost() const;

  const Libpq* const pq_;
  const std::string place_;
  const std::chrono::nanoseconds patience_;  // for an answer
  bool is_silent_ = false;                   // none came in that time
  const std::unique_ptr<pg_conn, Finish> connection_;
};

}  // namespace wb
