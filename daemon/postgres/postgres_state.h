#pragma once

// All that outlives the daemon, in a PostgreSQL database.

#include "daemon/database/state_parts.h"
#include "daemon/postgres/postgres_settings.h"

namespace wb {

// CONFIG_INVALID: this daemon was built without it, libpq is not there, or another daemon has the
// database; MACHINE_FAULT: it does not answer.
Result<StateParts> OpenPostgresState(const PostgresSettings& settings);

}  // namespace wb
