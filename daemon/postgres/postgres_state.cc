#include "daemon/postgres/postgres_state.h"

#include "daemon/postgres/postgres_blobs.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/postgres_registry.h"
#include "daemon/postgres/postgres_store.h"
#include "daemon/postgres/shared_postgres.h"

namespace wb {

namespace {

// But for the jobs.
StateParts PartsOf(const std::shared_ptr<PostgresDatabase>& database) {
  StateParts state;
  state.registry = std::make_shared<PostgresRegistry>(database);
  state.modules = std::make_shared<const PostgresBlobs>(database, "module");
  state.inputs = std::make_shared<const PostgresBlobs>(database, "input");
  state.database = database->place();
  return state;
}

}  // namespace

Result<StateParts> OpenPostgresState(const PostgresSettings& settings) {
  WB_ASSIGN(const std::shared_ptr<PostgresDatabase> database, PostgresDatabase::Open(settings));
  StateParts state = PartsOf(database);
  state.jobs = std::make_unique<PostgresStore>(database);
  return state;
}

Result<StateParts> OpenSharedPostgresState(const PostgresSettings& settings) {
  WB_ASSIGN(const std::shared_ptr<PostgresDatabase> database, PostgresDatabase::Open(settings));
  StateParts state = PartsOf(database);
  state.shared = std::make_shared<SharedPostgres>(database);
  return state;
}

}  // namespace wb
