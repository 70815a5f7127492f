#pragma once

// PostgresChunks: SharedChunks in a PostgreSQL database.
//
// A claim whose answer was lost is in doubt (ClaimDoubts): the next claim, or the next time that
// this host is heard, gives back what it made.
//
// Threads: any.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/shared/claim_doubts.h"
#include "daemon/postgres/shared/postgres_news.h"

namespace wb {

class PostgresChunks : public SharedChunks {
 public:
  // `news` and `doubts` live longer.
  PostgresChunks(std::shared_ptr<PostgresDatabase> database, PostgresNews* news,
                 ClaimDoubts* doubts)
      : database_(std::move(database)), news_(*news), doubts_(*doubts) {}

  Result<std::optional<Chunk>> Claim(const std::string& job, uint64_t count,
                                     uint32_t group) override;
  Status Commit(const std::string& job, const std::vector<ChunkResults>& results,
                const DecideChange& decide) override;
  Status GiveBack(int64_t chunk) override;
  Status GiveBackWith(const std::string& job, int64_t chunk, const DecideChange& decide) override;
  // Removes rows of chunks that ended long ago, in a transaction of the caller's.
  static Status RemoveOld(PostgresConnection* connection);

 private:
  const std::shared_ptr<PostgresDatabase> database_;
  PostgresNews& news_;
  ClaimDoubts& doubts_;
  std::atomic<uint32_t> claims_{0};  // that this process has made
};

}  // namespace wb
