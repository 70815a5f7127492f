#pragma once

// All that outlives the daemon, in a PostgreSQL database.

#include "daemon/database/state_parts.h"
#include "daemon/postgres/postgres_settings.h"

namespace wb {

// CONFIG_INVALID: this daemon was built without it, libpq is not there, or another daemon has the
// database; MACHINE_FAULT: it does not answer.
Result<StateParts> OpenPostgresState(const PostgresSettings& settings);

// The same of a database that several daemons share, this one as settings.shared_by: `shared` in
// place of `jobs`. Nothing can be written before it has entered (SharedStore::Enter).
// CONFIG_INVALID also where a daemon has the database alone.
Result<StateParts> OpenSharedPostgresState(const PostgresSettings& settings);

}  // namespace wb
