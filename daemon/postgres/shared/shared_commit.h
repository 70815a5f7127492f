#pragma once

// SharedCommit: the transaction in which results of a job's chunks come, a chunk goes back, or the
// job is changed: SharedChunks' Commit, step by step. For one call of Run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/shared/postgres_news.h"

namespace wb {

class SharedCommit {
 public:
  // All live longer than this.
  SharedCommit(int64_t host, const std::string& job, const std::vector<ChunkResults>& results,
               const DecideChange& decide)
      : host_(host), job_(job), results_(results), decide_(decide) {}
  void AlsoGiveBack(int64_t chunk) { chunk_ = chunk; }  // where there are no results

  // All hosts hear of the job where it has changed. Errors as SharedChunks::Commit's.
  Status Run(PostgresDatabase* database, PostgresNews* news);

 private:
  // An error: the session is of no use any more. Else `refusal_` is the answer.
  Status RunOn(PostgresConnection* connection);
  Status Begin(PostgresConnection* connection);
  Status DecideOn(PostgresConnection* connection);
  Status Write(PostgresConnection* connection);
  void Refuse(Reason reason, const std::string& why);

  const int64_t host_;
  const std::string& job_;
  const std::vector<ChunkResults>& results_;
  std::optional<int64_t> chunk_;  // that goes back
  const DecideChange& decide_;
  bool is_again_ = false;  // it was committed before
  SharedJob before_;       // but for what its chunks lack now
  uint64_t count_ = 0;     // results
  uint64_t bytes_ = 0;     // of their blocks
  SharedChange change_;
  Status refusal_;
  bool has_changed_ = false;
};

}  // namespace wb
