#pragma once

// All that outlives daemons that share a PostgreSQL database.

#include "daemon/database/state_parts.h"
#include "daemon/postgres/postgres_settings.h"

namespace wb {

// As OpenPostgresState, of a database that several daemons share, this one as settings.shared_by:
// `shared` in place of `jobs`. Nothing can be written before it has entered (SharedHosts::Enter).
// CONFIG_INVALID also where a daemon has the database alone.
Result<StateParts> OpenSharedPostgresState(const PostgresSettings& settings);

}  // namespace wb
