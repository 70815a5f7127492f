#include "daemon/database/state_parts.h"

#include "daemon/database/blob_folder.h"
#include "daemon/database/sqlite_registry.h"
#include "daemon/database/sqlite_store.h"

namespace wb {

Result<StateParts> OpenStateFolder(const std::string& folder) {
  StateParts state;
  WB_ASSIGN(state.jobs, SqliteStore::Open(folder));
  WB_ASSIGN(state.registry, SqliteRegistry::Open(folder));
  WB_ASSIGN(const BlobFolder modules, BlobFolder::Open(folder + "/modules"));
  WB_ASSIGN(const BlobFolder inputs, BlobFolder::Open(folder + "/inputs"));
  state.modules = std::make_shared<const BlobFolder>(modules);
  state.inputs = std::make_shared<const BlobFolder>(inputs);
  return state;
}

}  // namespace wb
