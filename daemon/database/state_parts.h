#pragma once

// StateParts: all that outlives the daemon, wherever it lies.

#include <memory>
#include <string>

#include "daemon/database/blob_store.h"
#include "daemon/database/durable_store.h"
#include "daemon/database/registry.h"
#include "daemon/database/shared_store.h"

namespace wb {

struct StateParts {
  std::unique_ptr<DurableStore> jobs;   // of this daemon alone; null: `shared` has them
  std::shared_ptr<SharedStore> shared;  // of several daemons, or null
  std::shared_ptr<Registry> registry;
  std::shared_ptr<const BlobStore> modules;
  std::shared_ptr<const BlobStore> inputs;
  std::string database;  // where it lies, if that is no folder: "localhost:5432/jobs", for messages
};

// In a folder of this machine that this process alone uses: SQLite, and files. CONFIG_INVALID,
// NOSPACE, IO_ERROR.
Result<StateParts> OpenStateFolder(const std::string& folder);

}  // namespace wb
