#include "daemon/postgres/postgres_connection.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "daemon/config/postgres_address.h"
#include "daemon/postgres/big_endian.h"
#include "daemon/postgres/libpq.h"
#include "daemon/postgres/postgres_errors.h"

namespace wb {
namespace {

// Object ids of types (pg_type.dat).
constexpr uint32_t kBool = 16;
constexpr uint32_t kBytea = 17;
constexpr uint32_t kInt8 = 20;
constexpr uint32_t kText = 25;

// Answers of so many short statements fit the buffers between client and server; more could fill
// both sides (postgresql.org/docs/15/libpq-pipeline-mode.html, 34.5.1).
constexpr size_t kMostInPipeline = 128;
constexpr size_t kCopyPiece = size_t{1} << 20;
// The server itself ends a statement that takes too long. Beyond that it is stuck or stopped.
constexpr std::chrono::seconds kGrace{5};

// Before the address, which may say otherwise. A server that is gone is noticed in 15 s.
struct Default {
  const char* key;
  const char* value;
};
constexpr Default kDefaults[] = {{"connect_timeout", "5"},
                                 {"keepalives_idle", "5"},
                                 {"keepalives_interval", "3"},
                                 {"keepalives_count", "3"},
                                 {"tcp_user_timeout", "15000"},
                                 {"target_session_attrs", "read-write"},
                                 {"fallback_application_name", "wasmburstd"}};

// The server notices in as long that this process is gone, and ends a transaction of one that was
// paused, for which others wait where they share the database. What is acknowledged is on its disk,
// whatever the database's own default.
std::string SessionSettings(const PostgresSettings& settings) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(settings.timeout).count();
  const std::string idle = settings.shared_by.empty() ? "30000" : "10000";
  const std::string limit = std::to_string(std::max<int64_t>(ms, 1));
  return "SET client_encoding = 'UTF8'; SET search_path = wasmburst, pg_catalog; "
         "SET statement_timeout = " +
         limit + "; SET lock_timeout = " + limit +
         "; SET idle_in_transaction_session_timeout = " + idle +
         "; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 3; "
         "SET tcp_keepalives_count = 3; SET client_min_messages = warning; "
         "SELECT set_config('synchronous_commit', 'on', false) "
         "WHERE current_setting('synchronous_commit') IN ('off', 'local')";
}

// A password must not be in the address; libpq alone knows all ways of writing one.
Status CheckOptions(const Libpq& pq, const std::string& address) {
  WB_TRY(CheckPostgresAddress(address));
  PQconninfoOption* const options = pq.conninfoParse(address.c_str(), nullptr);
  if (options == nullptr) {
    return Status(Reason::kConfigInvalid,
                  "The setting [store.postgres] cannot be read as an address of PostgreSQL; check "
                  "its keys and escapes (postgresql.org/docs/15/libpq-connect.html, 34.1.1.2).",
                  {{"setting", "store.postgres"}});
  }
  bool has_password = false;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    has_password = has_password || (option->val != nullptr && option->dispchar[0] == '*');
  }
  pq.conninfoFree(options);
  return has_password ? CheckPostgresAddress("postgresql://:@") : Status();
}

}  // namespace

PostgresQuery& PostgresQuery::Add(uint32_t type, std::string bytes) {
  types_.push_back(type);
  values_.push_back(std::move(bytes));
  return *this;
}

PostgresQuery& PostgresQuery::Number(int64_t number) {
  std::string bytes;
  AppendBigEndian(static_cast<uint64_t>(number), 8, &bytes);
  return Add(kInt8, std::move(bytes));
}

PostgresQuery& PostgresQuery::Flag(bool flag) { return Add(kBool, std::string(1, flag ? 1 : 0)); }

PostgresQuery& PostgresQuery::Text(std::string_view text) { return Add(kText, std::string(text)); }

PostgresQuery& PostgresQuery::Blob(ByteView bytes) {
  return Add(kBytea, std::string(AsText(bytes)));
}

PostgresRows::PostgresRows(const Libpq* pq, pg_result* result)
    : pq_(pq), result_(result, [pq](pg_result* r) { pq->clear(r); }) {}

int PostgresRows::size() const { return pq_->ntuples(result_.get()); }

std::string_view PostgresRows::Value(int row, int column) const {
  if (pq_->getisnull(result_.get(), row, column) != 0) return {};
  return {pq_->getvalue(result_.get(), row, column),
          static_cast<size_t>(pq_->getlength(result_.get(), row, column))};
}

int64_t PostgresRows::Number(int row, int column) const {
  const std::string_view bytes = Value(row, column);
  const uint64_t number = ReadBigEndian(bytes);
  if (bytes.size() == 2) return static_cast<int16_t>(number);
  if (bytes.size() == 4) return static_cast<int32_t>(number);
  return static_cast<int64_t>(number);
}

std::string PostgresRows::Text(int row, int column) const {
  return std::string(Value(row, column));
}

Bytes PostgresRows::Blob(int row, int column) const {
  const ByteView bytes = AsBytes(Value(row, column));
  return Bytes(bytes.begin(), bytes.end());
}

void PostgresConnection::Finish::operator()(pg_conn* connection) const { pq->finish(connection); }

PostgresConnection::PostgresConnection(const Libpq* pq, pg_conn* connection,
                                       const PostgresSettings& settings)
    : pq_(pq),
      place_(PostgresPlace(settings.address)),
      patience_(settings.timeout + kGrace),
      connection_(connection, Finish{pq}) {}

PostgresConnection::~PostgresConnection() = default;

Result<std::unique_ptr<PostgresConnection>> PostgresConnection::Open(
    const PostgresSettings& settings) {
  WB_ASSIGN(const Libpq* pq, Libpq::Load());
  WB_TRY(CheckOptions(*pq, settings.address));
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const Default& row : kDefaults) {
    keys.push_back(row.key);
    values.push_back(row.value);
  }
  keys.insert(keys.end(), {"dbname", nullptr});  // expanded: what it says counts
  values.insert(values.end(), {settings.address.c_str(), nullptr});
  pg_conn* const connection = pq->connectdbParams(keys.data(), values.data(), 1);
  std::unique_ptr<PostgresConnection> opened(new PostgresConnection(pq, connection, settings));
  if (pq->status(connection) != CONNECTION_OK) {
    return ConnectError(opened->place_, pq->errorMessage(connection));
  }
  pq->setNoticeProcessor(
      connection, [](void*, const char*) {}, nullptr);
  WB_TRY(opened->Script(SessionSettings(settings)));
  return opened;
}

Status PostgresConnection::Lost() const {
  if (is_silent_) {
    return SilenceError(place_, std::chrono::duration_cast<std::chrono::seconds>(patience_));
  }
  return PostgresError(place_, "", pq_->errorMessage(connection_.get()));
}

Status PostgresConnection::Outcome(pg_result* result) const {
  const ExecStatusType status = pq_->resultStatus(result);
  if (status != PGRES_FATAL_ERROR && status != PGRES_BAD_RESPONSE &&
      status != PGRES_PIPELINE_ABORTED) {
    return {};
  }
  const char* const state = pq_->resultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const words = pq_->resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  if (state == nullptr || words == nullptr) return Lost();
  return PostgresError(place_, state, words);
}

bool PostgresConnection::AwaitSocket(bool has_unsent, Time end) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  pollfd ready{pq_->socket(connection_.get()), POLLIN, 0};
  if (has_unsent) ready.events |= POLLOUT;
  const int came = poll(&ready, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
  is_silent_ = came == 0;
  return came > 0 || (came < 0 && errno == EINTR);
}

// The server may answer meanwhile, and waits until that is read.
bool PostgresConnection::AwaitSent(Time end) {
  while (true) {
    const int unsent = pq_->flush(connection_.get());
    if (unsent <= 0) return unsent == 0;
    if (!AwaitSocket(true, end) || pq_->consumeInput(connection_.get()) != 1) return false;
  }
}

bool PostgresConnection::AwaitAnswer(Time end) {
  if (!AwaitSent(end)) return false;
  while (pq_->isBusy(connection_.get()) != 0) {
    if (!AwaitSocket(false, end) || pq_->consumeInput(connection_.get()) != 1) return false;
  }
  return true;
}

Result<pg_result*> PostgresConnection::Next() {
  if (!AwaitAnswer(End())) return Lost();
  return pq_->getResult(connection_.get());
}

Result<PostgresRows> PostgresConnection::Answers() {
  std::optional<PostgresRows> last;
  Status outcome;
  while (true) {
    WB_ASSIGN(pg_result* const result, Next());
    if (result == nullptr) break;
    last.emplace(pq_, result);
    if (outcome.ok()) outcome = Outcome(result);
    if (pq_->resultStatus(result) == PGRES_COPY_IN) break;
  }
  WB_TRY(outcome);
  if (!last) return Lost();
  return *last;
}

Result<PostgresRows> PostgresConnection::Run(const PostgresQuery& query) {
  WB_TRY(Send(query));
  return Answers();
}

Status PostgresConnection::Script(const std::string& sql) {
  if (pq_->sendQuery(connection_.get(), sql.c_str()) != 1) return Lost();
  return Answers().status();
}

Status PostgresConnection::Send(const PostgresQuery& query) {
  std::vector<const char*> values;
  std::vector<int> lengths;
  for (const std::string& value : query.values_) {
    values.push_back(value.data());
    lengths.push_back(static_cast<int>(value.size()));
  }
  const std::vector<int> binary(values.size(), 1);
  const int sent =
      pq_->sendQueryParams(connection_.get(), query.sql_.c_str(), static_cast<int>(values.size()),
                           query.types_.data(), values.data(), lengths.data(), binary.data(), 1);
  return sent == 1 ? Status() : Lost();
}

Status PostgresConnection::BatchPart(const PostgresQuery* first, const PostgresQuery* end,
                                     std::vector<PostgresRows>* answers) {
  for (const PostgresQuery* query = first; query != end; ++query) WB_TRY(Send(*query));
  if (pq_->pipelineSync(connection_.get()) != 1) return Lost();
  Status outcome;
  // Each statement's results end with a null; the sync's answer ends all.
  while (true) {
    const Result<pg_result*> next = Next();
    if (!next.ok()) return outcome.ok() ? next.status() : outcome;
    pg_result* const result = *next;
    if (result == nullptr) {
      if (pq_->status(connection_.get()) != CONNECTION_OK) return outcome.ok() ? Lost() : outcome;
      continue;
    }
    const PostgresRows rows(pq_, result);
    if (pq_->resultStatus(result) == PGRES_PIPELINE_SYNC) return outcome;
    if (outcome.ok()) outcome = Outcome(result);
    if (answers != nullptr) answers->push_back(rows);
  }
}

Status PostgresConnection::RunAll(const std::vector<PostgresQuery>& queries,
                                  std::vector<PostgresRows>* answers) {
  if (pq_->enterPipelineMode(connection_.get()) != 1) return Lost();
  Status outcome;
  for (size_t at = 0; outcome.ok() && at < queries.size(); at += kMostInPipeline) {
    const size_t end = std::min(queries.size(), at + kMostInPipeline);
    outcome = BatchPart(queries.data() + at, queries.data() + end, answers);
  }
  if (pq_->exitPipelineMode(connection_.get()) != 1 && outcome.ok()) return Lost();
  return outcome;
}

Status PostgresConnection::Batch(const std::vector<PostgresQuery>& queries) {
  return RunAll(queries, nullptr);
}

Result<std::vector<PostgresRows>> PostgresConnection::Ask(
    const std::vector<PostgresQuery>& queries) {
  std::vector<PostgresRows> answers;
  WB_TRY(RunAll(queries, &answers));
  if (answers.size() != queries.size()) return Lost();
  return answers;
}

Status PostgresConnection::Copy(const std::string& sql, const std::string& rows) {
  WB_TRY(Script(sql));
  for (size_t at = 0; at < rows.size(); at += kCopyPiece) {
    const size_t bytes = std::min(kCopyPiece, rows.size() - at);
    if (pq_->putCopyData(connection_.get(), rows.data() + at, static_cast<int>(bytes)) != 1 ||
        !AwaitSent(End())) {
      return Lost();
    }
  }
  if (pq_->putCopyEnd(connection_.get(), nullptr) != 1) return Lost();
  return Answers().status();
}

// Some may have come with the answers of statements.
Result<std::vector<std::string>> PostgresConnection::AwaitNotices(int wake, Time end) {
  std::vector<std::string> payloads;
  while (true) {
    while (pgNotify* const notice = pq_->notifies(connection_.get())) {
      payloads.emplace_back(notice->extra);
      pq_->freemem(notice);
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (!payloads.empty() || left.count() <= 0) return payloads;
    pollfd ready[2] = {{pq_->socket(connection_.get()), POLLIN, 0}, {wake, POLLIN, 0}};
    const int came = poll(ready, 2, static_cast<int>(std::min<int64_t>(left.count(), 60'000)));
    if (came < 0 && errno != EINTR) return Lost();
    if (came > 0 && ready[1].revents != 0) return payloads;
    if (!IsAlive()) return Lost();
  }
}

// The first call reads the server's last words, the second its end.
bool PostgresConnection::IsAlive() {
  return pq_->consumeInput(connection_.get()) == 1 && pq_->consumeInput(connection_.get()) == 1 &&
         pq_->status(connection_.get()) == CONNECTION_OK;
}

}  // namespace wb
