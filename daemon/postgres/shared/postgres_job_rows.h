#pragma once

// PostgresJobRows: SharedJobRows in a PostgreSQL database.
//
// Threads: any.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/shared/postgres_news.h"

namespace wb {

class PostgresJobRows : public SharedJobRows {
 public:
  // `news`, which lives longer, hears of jobs that this host changes.
  PostgresJobRows(std::shared_ptr<PostgresDatabase> database, PostgresNews* news)
      : database_(std::move(database)), news_(*news) {}

  Result<std::string> Create(const NewSharedJob& job) override;
  Result<std::optional<SharedJob>> Find(const std::string& id) override;
  Result<std::optional<std::string>> FindRequest(const std::string& tenant,
                                                 const std::string& request_key) override;
  Result<std::vector<SharedJob>> List(uint32_t states, const std::optional<std::string>& tenant,
                                      const std::string& after, size_t limit) override;
  Result<std::vector<std::pair<std::string, uint64_t>>> Versions() override;
  Result<std::vector<SharedJob>> Claimable(size_t limit) override;
  Result<std::string> ReadRequest(const std::string& job) override;
  Status Change(const std::string& job, const DecideChange& decide) override;
  Status Forget(const std::string& job) override;
  Result<uint64_t> ForgetExpired() override;
  Status Drop(const std::string& job, uint64_t before) override;
  Result<bool> DropUnread(const std::string& job) override;
  Status NoteReaders(const std::vector<std::string>& jobs, std::chrono::nanoseconds time) override;
  Result<BlockRow> ReadBlock(const std::string& job, uint64_t position) override;

 private:
  Result<std::vector<SharedJob>> Jobs(const PostgresQuery& query);

  const std::shared_ptr<PostgresDatabase> database_;
  PostgresNews& news_;
};

}  // namespace wb
