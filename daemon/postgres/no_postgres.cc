#include "daemon/postgres/postgres_state.h"

namespace wb {
namespace {

Status NotBuilt() {
  return Status(Reason::kConfigInvalid,
                "This daemon was built without PostgreSQL, so it cannot use [store.postgres]. Take "
                "the setting away, or build it where libpq's headers are (Debian: libpq-dev).",
                {{"setting", "store.postgres"}});
}

}  // namespace

Result<StateParts> OpenPostgresState(const PostgresSettings& /*settings*/) { return NotBuilt(); }

Result<StateParts> OpenSharedPostgresState(const PostgresSettings& /*settings*/) {
  return NotBuilt();
}

}  // namespace wb
