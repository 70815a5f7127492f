#include "daemon/postgres/no_postgres.h"

#include "daemon/postgres/postgres_state.h"

namespace wb {

Status PostgresNotBuilt() {
  return Status(Reason::kConfigInvalid,
                "This daemon was built without PostgreSQL, so it cannot use [store.postgres]. Take "
                "the setting away, or build it where libpq's headers are (Debian: libpq-dev).",
                {{"setting", "store.postgres"}});
}

Result<StateParts> OpenPostgresState(const PostgresSettings& /*settings*/) {
  return PostgresNotBuilt();
}

}  // namespace wb
