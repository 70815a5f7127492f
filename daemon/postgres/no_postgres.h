#pragma once

// What a daemon answers that was built without PostgreSQL.

#include "compiler/base/status.h"

namespace wb {

Status PostgresNotBuilt();  // CONFIG_INVALID

}  // namespace wb
