#pragma once

// PostgresStore: a DurableStore in a PostgreSQL database.
//
// Where the connection is lost while the server commits, nobody knows whether it did. The next
// commit waits for that transaction's end and first removes what it may have made: so what Commit
// refused is never seen beside what is tried again.
//
// Threads: as DurableStore.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "daemon/database/durable_store.h"
#include "daemon/postgres/postgres_database.h"

namespace wb {

class PostgresStore : public DurableStore {
 public:
  explicit PostgresStore(std::shared_ptr<PostgresDatabase> database)
      : database_(std::move(database)) {}

  Status Commit(const StoreChange& change) override;
  Status LoadJobs(
      const std::function<Status(JobRow row, std::vector<BlockHead> blocks)>& visit) override;
  Result<BlockRow> ReadBlock(const std::string& job, uint64_t position) override;
  Result<std::string> ReadRequest(const std::string& job) override;
  void Tidy() override;

 private:
  // What a transaction of unknown end may have made.
  struct Doubt {
    std::set<std::string> jobs;
    std::set<std::pair<std::string, uint64_t>> blocks;  // job, first position
    bool empty() const { return jobs.empty() && blocks.empty(); }
  };
  Status Write(PostgresConnection* writer, const StoreChange& change);
  void AddUndoing(std::vector<PostgresQuery>* queries) const;
  void NoteDoubt(const StoreChange& change);
  Status LoadPage(const std::string& after, std::vector<JobRow>* jobs);
  Status LoadBlocks(const std::vector<JobRow>& jobs,
                    std::map<std::string, std::vector<BlockHead>>* blocks);

  const std::shared_ptr<PostgresDatabase> database_;
  // Of the thread that commits.
  Doubt doubt_;
  bool has_trash_ = true;  // an earlier daemon may have left some
};

}  // namespace wb
