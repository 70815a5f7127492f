#pragma once

// ClaimDoubts: the claims in doubt: those whose answer was lost, which may have made a chunk that
// nobody here knows.
//
// Threads: any; has a lock of its own, which is not held while the database is asked.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/shared/postgres_news.h"

namespace wb {

class ClaimDoubts {
 public:
  // `news`, which lives longer, hears of jobs whose chunks come back.
  ClaimDoubts(std::shared_ptr<PostgresDatabase> database, PostgresNews* news)
      : database_(std::move(database)), news_(*news) {}

  void Add(int64_t chunk);
  // Gives the chunks back that are there. What fails stays in doubt. MACHINE_FAULT.
  Status Settle();

 private:
  Status SettleOne(int64_t chunk);

  const std::shared_ptr<PostgresDatabase> database_;
  PostgresNews& news_;
  Mutex mutex_;
  std::vector<int64_t> chunks_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
