#pragma once

// SharedPostgres: a SharedStore in a PostgreSQL database.
//
// A claim whose answer was lost may have made a chunk that nobody here knows: the next claim, or
// the next time that this host is heard, gives it back.
//
// Threads: as SharedStore.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/postgres_hosts.h"
#include "daemon/postgres/postgres_news.h"

namespace wb {

class SharedCommit;

class SharedPostgres : public SharedStore {
 public:
  // `database`: shared.
  explicit SharedPostgres(std::shared_ptr<PostgresDatabase> database)
      : database_(std::move(database)), news_(database_), hosts_(database_, &news_) {}

  Status Enter() override { return hosts_.Enter(); }
  int64_t host() const override { return database_->number(); }
  bool is_dropped() const override { return database_->is_refused(); }
  Status Beat(const std::string& facts) override;
  Status Leave() override { return hosts_.Leave(); }
  Result<std::vector<HostRow>> Hosts() override;
  Result<uint64_t> DropSilent(std::chrono::nanoseconds lease) override {
    return hosts_.DropSilent(lease);
  }

  Result<std::string> Create(const NewSharedJob& job) override;
  Result<std::optional<SharedJob>> Find(const std::string& id) override;
  Result<std::optional<std::string>> FindRequest(const std::string& tenant,
                                                 const std::string& request_key) override;
  Result<std::vector<SharedJob>> List(uint32_t states, const std::optional<std::string>& tenant,
                                      const std::string& after, size_t limit) override;
  Result<std::vector<std::pair<std::string, uint64_t>>> Versions() override;
  Result<std::vector<SharedJob>> Claimable(size_t limit) override;
  Result<std::string> ReadRequest(const std::string& job) override;
  Status Change(const std::string& job, const Decide& decide) override;
  Status Forget(const std::string& job) override;
  Result<uint64_t> ForgetExpired() override;
  Status Drop(const std::string& job, uint64_t before) override;
  Result<bool> DropUnread(const std::string& job) override;
  Status NoteReaders(const std::vector<std::string>& jobs, std::chrono::nanoseconds time) override;
  Result<BlockRow> ReadBlock(const std::string& job, uint64_t position) override;

  Result<std::optional<Chunk>> Claim(const std::string& job, uint64_t count,
                                     uint32_t group) override;
  Status Commit(const std::string& job, const std::vector<ChunkResults>& results,
                const Decide& decide) override;
  Status GiveBack(int64_t chunk) override;
  Status GiveBackWith(const std::string& job, int64_t chunk, const Decide& decide) override;

  std::vector<std::string> AwaitNews(std::chrono::nanoseconds most) override {
    return news_.Await(most);
  }
  void StopWaiting() override { news_.Stop(); }
  void Tidy() override;
  const std::string& place() const override { return database_->place(); }

 private:
  Status Run(const std::string& job, SharedCommit* commit);
  Result<std::vector<SharedJob>> Jobs(const PostgresQuery& query);
  // What `query` answers; all hosts hear of those jobs, or of `job` if it is named.
  Result<std::vector<std::string>> Told(const PostgresQuery& query, const std::string& job = "");
  int64_t NextChunk();
  void NoteDoubt(int64_t chunk);
  Status Settle(int64_t chunk);
  Status SettleDoubts();

  const std::shared_ptr<PostgresDatabase> database_;
  PostgresNews news_;
  PostgresHosts hosts_;
  std::atomic<uint32_t> chunks_{0};  // that this process has asked for
  Mutex mutex_;
  std::vector<int64_t> doubts_ WB_GUARDED_BY(mutex_);  // chunks that a claim may have made
};

}  // namespace wb
