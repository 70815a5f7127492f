#include "daemon/postgres/postgres_schema.h"

#include <iterator>

#include "daemon/process/log.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Of a transaction: others wait. The store's own lock (postgres_database.cc) is another.
constexpr const char* kLockMigrations = "SELECT pg_advisory_xact_lock(6296, 1)";

// Version 1. Blocks name their job by its id, which is never used again. Results lie in `bodies`,
// so that a start reads blocks alone; they are compressed already. `trash` has jobs that were
// forgotten while their blocks are still there.
//
// `fence` has one row: whoever takes the store over raises its number, and a transaction that holds
// an older one fails (WB001). Those that hold the number keep it from being raised until they end.
// Alone: they also wait for all others that hold it.
constexpr const char* kFirstTables = R"(
CREATE TABLE fence(
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL,
  holder text NOT NULL,
  since timestamptz NOT NULL,
  tried timestamptz NOT NULL);
INSERT INTO fence(number, holder, since, tried) VALUES(0, '', now(), now());
CREATE FUNCTION hold(mine bigint, alone boolean) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE other record;
BEGIN
  IF alone THEN
    PERFORM 1 FROM wasmburst.fence WHERE number = mine FOR UPDATE;
  ELSE
    PERFORM 1 FROM wasmburst.fence WHERE number = mine FOR SHARE;
  END IF;
  IF NOT FOUND THEN
    SELECT holder, since INTO other FROM wasmburst.fence;
    RAISE EXCEPTION 'it is held by [%] since %', other.holder, other.since
      USING ERRCODE = 'WB001';
  END IF;
END $body$;
CREATE TABLE jobs(
  id text COLLATE "C" PRIMARY KEY,
  ended boolean NOT NULL,
  request bytea,
  shown bytea NOT NULL,
  record bytea NOT NULL);
CREATE TABLE blocks(
  job text COLLATE "C" NOT NULL,
  first bigint NOT NULL,
  count bigint NOT NULL,
  bytes bigint NOT NULL,
  instances bytea NOT NULL,
  PRIMARY KEY(job, first));
CREATE TABLE bodies(
  job text COLLATE "C" NOT NULL,
  first bigint NOT NULL,
  checksum bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY(job, first));
ALTER TABLE bodies ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE trash(job text COLLATE "C" PRIMARY KEY);
CREATE TABLE blobs(
  kind text NOT NULL,
  digest bytea NOT NULL,
  bytes bigint NOT NULL,
  touched bigint NOT NULL,
  PRIMARY KEY(kind, digest));
CREATE TABLE blob_parts(
  kind text NOT NULL,
  digest bytea NOT NULL,
  part bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY(kind, digest, part));
CREATE TABLE tokens(
  id text COLLATE "C" PRIMARY KEY,
  secret bytea NOT NULL,
  tenant text NOT NULL,
  role text NOT NULL,
  note text NOT NULL,
  created bigint NOT NULL,
  expires bigint NOT NULL);
CREATE TABLE owners(
  kind text NOT NULL,
  digest text NOT NULL,
  tenant text NOT NULL,
  PRIMARY KEY(kind, digest, tenant));
CREATE TABLE cordons(
  device text COLLATE "C" PRIMARY KEY,
  since bigint NOT NULL);
)";

// What makes version i + 1 of version i. A new database takes all of these steps.
const char* const kSteps[] = {kFirstTables, kSharedTables, kSharedTimes};
constexpr int64_t kVersion = std::size(kSteps);

Status Refused(const PostgresConnection& connection, const std::string& why) {
  return Status(Reason::kConfigInvalid, "The database at " + Quoted(connection.place()) + " " + why,
                {{"setting", "store.postgres"}, {"database", connection.place()}});
}

Status CheckEncoding(PostgresConnection* connection) {
  WB_ASSIGN(const PostgresRows rows,
            connection->Run(PostgresQuery("SELECT current_setting('server_encoding')")));
  const std::string encoding = rows.Text(0, 0);
  if (encoding == "UTF8") return {};
  return Refused(*connection, "is in the encoding " + Quoted(encoding) +
                                  "; make one in UTF-8 (createdb --encoding=UTF8 "
                                  "--template=template0).");
}

// 0: there are no tables.
Result<int64_t> VersionOf(PostgresConnection* connection) {
  WB_ASSIGN(const PostgresRows schema,
            connection->Run(PostgresQuery("SELECT to_regclass('wasmburst.versions') IS NOT NULL, "
                                          "to_regnamespace('wasmburst') IS NOT NULL AND EXISTS("
                                          "SELECT 1 FROM pg_class WHERE "
                                          "relnamespace = to_regnamespace('wasmburst'))")));
  if (schema.Number(0, 0) == 0) {
    if (schema.Number(0, 1) == 0) return 0;
    return Refused(*connection,
                   "has a schema [wasmburst] that is not wasmburstd's. Name another database.");
  }
  WB_ASSIGN(const PostgresRows rows,
            connection->Run(PostgresQuery("SELECT coalesce(max(version), 0) FROM versions")));
  return rows.Number(0, 0);
}

Status StepFrom(PostgresConnection* connection, const int64_t from) {
  if (from == 0) {
    WB_TRY(
        connection->Script("CREATE SCHEMA IF NOT EXISTS wasmburst; CREATE TABLE versions("
                           "version bigint PRIMARY KEY, since timestamptz NOT NULL)"));
  }
  for (int64_t i = from; i < kVersion; ++i) {
    WB_TRY(connection->Script(kSteps[i]));
    WB_TRY(connection
               ->Run(PostgresQuery("INSERT INTO versions(version, since) VALUES($1, now())")
                         .Number(i + 1))
               .status());
  }
  return {};
}

}  // namespace

// An error leaves the transaction open: the connection is given up with it.
Status OpenPostgresSchema(PostgresConnection* connection) {
  WB_TRY(CheckEncoding(connection));
  WB_TRY(connection->Script("BEGIN"));
  WB_TRY(connection->Script(kLockMigrations));
  WB_ASSIGN(const int64_t version, VersionOf(connection));
  if (version > kVersion) {
    return Refused(*connection, "has version " + Quoted(static_cast<uint64_t>(version)) +
                                    ", and this daemon reads " + Quoted(uint64_t{kVersion}) +
                                    ". Start the daemon that wrote it, or name another database.");
  }
  WB_TRY(StepFrom(connection, version));
  WB_TRY(connection->Script("COMMIT"));
  if (version == kVersion) return {};
  Log(LogLevel::kWarning, "database_migrated",
      {{"from", std::to_string(version)},
       {"to", std::to_string(kVersion)},
       {"database", connection->place()}});
  return {};
}

}  // namespace wb
