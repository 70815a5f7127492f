#include "daemon/postgres/postgres_parts.h"

#include "daemon/postgres/postgres_blobs.h"
#include "daemon/postgres/postgres_registry.h"

namespace wb {

StateParts PostgresParts(const std::shared_ptr<PostgresDatabase>& database) {
  StateParts state;
  state.registry = std::make_shared<PostgresRegistry>(database);
  state.modules = std::make_shared<const PostgresBlobs>(database, "module");
  state.inputs = std::make_shared<const PostgresBlobs>(database, "input");
  state.database = database->place();
  return state;
}

}  // namespace wb
