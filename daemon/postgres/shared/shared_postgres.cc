#include "daemon/postgres/shared/shared_postgres.h"

#include "daemon/postgres/stored_blocks.h"

namespace wb {

// What fails is tried the next time.
void SharedPostgres::Tidy() {
  (void)database_->Write([](PostgresConnection* connection) -> Status {
    WB_TRY(RemoveTrash(connection).status());
    WB_TRY(PostgresChunks::RemoveOld(connection));
    return PostgresHosts::RemoveOld(connection);
  });
}

}  // namespace wb
