#include "daemon/postgres/no_postgres.h"
#include "daemon/postgres/shared/shared_state.h"

namespace wb {

Result<StateParts> OpenSharedPostgresState(const PostgresSettings& /*settings*/) {
  return PostgresNotBuilt();
}

}  // namespace wb
