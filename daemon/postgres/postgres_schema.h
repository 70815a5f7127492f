#pragma once

// The tables of the store in a PostgreSQL database, in a schema of their own, and their version.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"
#include "daemon/postgres/postgres_connection.h"

namespace wb {

// Makes the tables, or makes an older version the present one, in one transaction. One daemon at a
// time does it. CONFIG_INVALID: the tables are of a newer daemon, or the database is not in UTF-8;
// else as PostgresError.
Status OpenPostgresSchema(PostgresConnection* connection);

// What makes version 2: jobs that several daemons share (shared_tables.cc).
extern const char* const kSharedTables;
// Version 3: when a job changed, chunks that go back with what becomes of their job, and who reads
// (likewise).
extern const char* const kSharedTimes;

}  // namespace wb
