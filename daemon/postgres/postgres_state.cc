#include "daemon/postgres/postgres_state.h"

#include "daemon/postgres/postgres_parts.h"
#include "daemon/postgres/postgres_store.h"

namespace wb {

Result<StateParts> OpenPostgresState(const PostgresSettings& settings) {
  WB_ASSIGN(const std::shared_ptr<PostgresDatabase> database, PostgresDatabase::Open(settings));
  StateParts state = PostgresParts(database);
  state.jobs = std::make_unique<PostgresStore>(database);
  return state;
}

}  // namespace wb
