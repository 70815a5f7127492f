#pragma once

// Blocks of results in the database, of jobs of either way (postgres_store, shared_postgres).

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/database/durable_store.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/store_queries.h"

namespace wb {

enum class JobTable : uint8_t { kJobs, kSharedJobs };

// DurableStore's.
Result<BlockRow> ReadStoredBlock(PostgresDatabase* database, JobTable table, const std::string& job,
                                 uint64_t position);
Result<std::string> ReadStoredRequest(PostgresDatabase* database, JobTable table,
                                      const std::string& job);

// Writes blocks in the transaction that `queries` begin: as further ones of them, or as copies
// after them, which have run then.
Status PutBlocks(PostgresConnection* connection, const std::vector<PlacedBlock>& blocks,
                 std::vector<PostgresQuery>* queries);

// In a transaction of the caller's: removes some of the blocks of forgotten jobs; how many.
Result<uint64_t> RemoveTrash(PostgresConnection* connection);

}  // namespace wb
