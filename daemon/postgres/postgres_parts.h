#pragma once

// What a PostgreSQL database has for a daemon besides jobs, alone or shared.

#include <memory>

#include "daemon/database/state_parts.h"
#include "daemon/postgres/postgres_database.h"

namespace wb {

// But for `jobs` and `shared`.
StateParts PostgresParts(const std::shared_ptr<PostgresDatabase>& database);

}  // namespace wb
