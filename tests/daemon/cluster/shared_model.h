#pragma once

// A SharedStore in memory: the rules of shared_store.h and nothing of a database. Several stores,
// one for each host, lie over one SharedModel.

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "daemon/database/shared_store.h"

namespace wb::test {

// What all hosts share.
struct SharedModel {
  struct Job {
    SharedJob row;
    std::string request;
    std::string request_key;
    std::vector<std::pair<InstanceRange, uint32_t>> ranges;  // with their attempts
    std::vector<BlockRow> blocks;
    bool closed = false;
    bool is_read = false;  // once it was said
  };
  struct Held {
    Chunk chunk;
    int64_t host = 0;
    std::vector<InstanceRange> left;
    uint64_t commits = 0;
  };
  struct Host {
    HostRow row;
    bool silent = false;  // DropSilent drops it
  };

  std::mutex mutex;
  std::condition_variable news;
  std::map<std::string, Job> jobs;
  std::map<int64_t, Held> chunks;
  std::map<int64_t, Host> hosts;
  std::map<std::string, uint64_t> changes;  // of jobs; 1, 2, ...
  uint64_t last_change = 0;
  int64_t last_id = 0;
  bool is_down = false;       // every call fails
  uint64_t lose_answers = 0;  // so many commits are done and fail
  uint64_t lose_returns = 0;  // likewise chunks that go back
  int64_t unix_ns = 0;        // the clock; each change is a tenth of a second later
  uint64_t commits = 0;
};

class SharedModelStore : public SharedStore {
 public:
  SharedModelStore(std::shared_ptr<SharedModel> model, std::string name);

  Status Enter() override;
  int64_t host() const override;
  bool is_dropped() const override;
  Status Beat(const std::string& facts) override;
  Status Leave() override;
  Result<std::vector<HostRow>> Hosts() override;
  Result<uint64_t> DropSilent(std::chrono::nanoseconds lease) override;
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
  Result<uint64_t> ForgetExpired() override { return 0; }
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
  std::vector<std::string> AwaitNews(std::chrono::nanoseconds most) override;
  void StopWaiting() override;
  void Tidy() override {}
  const std::string& place() const override { return place_; }

 private:
  Status Check() const;  // with the mutex held, as the others
  Status Apply(SharedModel::Job* job, const SharedChange& change);
  void Touch(SharedModel::Job* job);
  void Return(const SharedModel::Held& held, bool again);
  void DropHost(int64_t host);
  Status CommitOne(SharedModel::Job* job, const ChunkResults& results);

  const std::shared_ptr<SharedModel> model_;
  const std::string name_;
  const std::string place_ = "the model";
  int64_t host_ = 0;
  uint64_t heard_ = 0;
  bool stops_ = false;
};

}  // namespace wb::test
