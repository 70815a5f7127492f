#include "daemon/postgres/shared/shared_state.h"

#include "daemon/postgres/postgres_parts.h"
#include "daemon/postgres/shared/shared_postgres.h"

namespace wb {

Result<StateParts> OpenSharedPostgresState(const PostgresSettings& settings) {
  WB_ASSIGN(const std::shared_ptr<PostgresDatabase> database, PostgresDatabase::Open(settings));
  StateParts state = PostgresParts(database);
  state.shared = std::make_shared<SharedPostgres>(database);
  return state;
}

}  // namespace wb
