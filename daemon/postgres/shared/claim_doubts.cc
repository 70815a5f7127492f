#include "daemon/postgres/shared/claim_doubts.h"

#include "daemon/postgres/shared/shared_queries.h"

namespace wb {

void ClaimDoubts::Add(int64_t chunk) {
  const MutexLock lock(mutex_);
  chunks_.push_back(chunk);
}

// Those of an earlier host were given back when it was dropped.
Status ClaimDoubts::Settle() {
  std::vector<int64_t> chunks;
  {
    const MutexLock lock(mutex_);
    chunks.swap(chunks_);
  }
  Status settled;
  for (const int64_t chunk : chunks) {
    if (HostOfChunk(chunk) != database_->number()) continue;
    if (settled.ok()) settled = SettleOne(chunk);
    if (!settled.ok()) Add(chunk);
  }
  return settled;
}

Status ClaimDoubts::SettleOne(int64_t chunk) {
  return news_
      .RunTold(
          PostgresQuery("SELECT settle_claim($1, $2)").Number(database_->number()).Number(chunk))
      .status();
}

}  // namespace wb
