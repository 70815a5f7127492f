#pragma once

// SharedModelStore: a SharedStore over a SharedModel, of one of its hosts.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/database/shared_store.h"
#include "tests/daemon/cluster/shared_model.h"

namespace wb::test {

class ModelHosts : public SharedHosts {
 public:
  // Enters.
  ModelHosts(std::shared_ptr<SharedModel> model, std::string name);
  Status Enter() override;
  int64_t id() const override { return host_; }
  bool is_dropped() const override;
  Status Beat(const std::string& facts) override;
  Status Leave() override;
  Result<std::vector<HostRow>> All() override;
  Result<uint64_t> DropSilent(std::chrono::nanoseconds lease) override;

 private:
  const std::shared_ptr<SharedModel> model_;
  const std::string name_;
  int64_t host_ = 0;
};

class ModelJobRows : public SharedJobRows {
 public:
  ModelJobRows(std::shared_ptr<SharedModel> model, const SharedHosts* host)
      : model_(std::move(model)), host_(*host) {}
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
  Result<uint64_t> ForgetExpired() override { return 0; }
  Status Drop(const std::string& job, uint64_t before) override;
  Result<bool> DropUnread(const std::string& job) override;
  Status NoteReaders(const std::vector<std::string>& jobs, std::chrono::nanoseconds time) override;
  Result<BlockRow> ReadBlock(const std::string& job, uint64_t position) override;

 private:
  const std::shared_ptr<SharedModel> model_;
  const SharedHosts& host_;
};

class ModelChunks : public SharedChunks {
 public:
  ModelChunks(std::shared_ptr<SharedModel> model, const SharedHosts* host)
      : model_(std::move(model)), host_(*host) {}
  Result<std::optional<Chunk>> Claim(const std::string& job, uint64_t count,
                                     uint32_t group) override;
  Status Commit(const std::string& job, const std::vector<ChunkResults>& results,
                const DecideChange& decide) override;
  Status GiveBack(int64_t chunk) override;
  Status GiveBackWith(const std::string& job, int64_t chunk, const DecideChange& decide) override;

 private:
  const std::shared_ptr<SharedModel> model_;
  const SharedHosts& host_;
};

class ModelNews : public SharedNews {
 public:
  explicit ModelNews(std::shared_ptr<SharedModel> model) : model_(std::move(model)) {}
  std::vector<std::string> Await(std::chrono::nanoseconds most) override;
  void Stop() override;

 private:
  const std::shared_ptr<SharedModel> model_;
  uint64_t heard_ = 0;
  bool stops_ = false;
};

class SharedModelStore : public SharedStore {
 public:
  SharedModelStore(const std::shared_ptr<SharedModel>& model, std::string name)
      : hosts_(model, std::move(name)),
        jobs_(model, &hosts_),
        chunks_(model, &hosts_),
        news_(model) {}
  SharedHosts& hosts() override { return hosts_; }
  SharedJobRows& jobs() override { return jobs_; }
  SharedChunks& chunks() override { return chunks_; }
  SharedNews& news() override { return news_; }
  void Tidy() override {}
  const std::string& place() const override { return place_; }

 private:
  const std::string place_ = "the model";
  ModelHosts hosts_;
  ModelJobRows jobs_;
  ModelChunks chunks_;
  ModelNews news_;
};

}  // namespace wb::test
