#pragma once

// SharedPostgres: a SharedStore in a PostgreSQL database.
//
// Threads: as SharedStore.

#include <memory>
#include <string>
#include <utility>

#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/shared/claim_doubts.h"
#include "daemon/postgres/shared/postgres_chunks.h"
#include "daemon/postgres/shared/postgres_hosts.h"
#include "daemon/postgres/shared/postgres_job_rows.h"
#include "daemon/postgres/shared/postgres_news.h"

namespace wb {

class SharedPostgres : public SharedStore {
 public:
  // `database`: shared.
  explicit SharedPostgres(std::shared_ptr<PostgresDatabase> database)
      : database_(std::move(database)) {}

  SharedHosts& hosts() override { return hosts_; }
  SharedJobRows& jobs() override { return jobs_; }
  SharedChunks& chunks() override { return chunks_; }
  SharedNews& news() override { return news_; }
  void Tidy() override;
  const std::string& place() const override { return database_->place(); }

 private:
  const std::shared_ptr<PostgresDatabase> database_;
  PostgresNews news_{database_};
  ClaimDoubts doubts_{database_, &news_};
  PostgresHosts hosts_{database_, &news_, &doubts_};
  PostgresJobRows jobs_{database_, &news_};
  PostgresChunks chunks_{database_, &news_, &doubts_};
};

}  // namespace wb
