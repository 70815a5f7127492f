#include "daemon/postgres/postgres_state.h"

#include "daemon/postgres/postgres_blobs.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/postgres_registry.h"
#include "daemon/postgres/postgres_store.h"

namespace wb {

Result<StateParts> OpenPostgresState(const PostgresSettings& settings) {
  WB_ASSIGN(const std::shared_ptr<PostgresDatabase> database, PostgresDatabase::Open(settings));
  StateParts state;
  state.jobs = std::make_unique<PostgresStore>(database);
  state.registry = std::make_shared<PostgresRegistry>(database);
  state.modules = std::make_shared<const PostgresBlobs>(database, "module");
  state.inputs = std::make_shared<const PostgresBlobs>(database, "input");
  state.database = database->place();
  return state;
}

}  // namespace wb
