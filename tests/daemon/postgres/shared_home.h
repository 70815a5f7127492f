#pragma once

// SharedTest: a new database that several stores of a test share, as several daemons do.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/postgres/shared/shared_state.h"
#include "tests/daemon/postgres/postgres_server.h"

namespace wb::test {

class SharedTest : public testing::Test {
 protected:
  using Store = std::shared_ptr<SharedStore>;

  void SetUp() override {
    std::string why_not;
    server_ = PostgresServer::Get(&why_not);
    if (server_ == nullptr) GTEST_SKIP() << "skipped: " << why_not;
    name_ = server_->NewDatabase();
  }
  std::string Sql(const std::string& text) const {
    const std::string said =
        server_->Sql(name_, "SET search_path = wasmburst, pg_catalog; " + text);
    return said.substr(std::min<size_t>(said.size(), 4));  // after "SET"
  }
  PostgresSettings Settings(const std::string& host) const {
    return {server_->Address(name_), std::chrono::seconds(30), host};
  }
  // One that has entered.
  StateParts Parts(const std::string& host = "one") const {
    StateParts parts = OpenSharedPostgresState(Settings(host)).value();
    EXPECT_EQ(parts.shared->hosts().Enter().message(), "");
    return parts;
  }
  Store Open(const std::string& host = "one") const { return Parts(host).shared; }

  static NewSharedJob Job(const std::string& id, uint64_t instances, uint64_t ranges = 1,
                          uint32_t group = 1) {
    NewSharedJob job;
    job.row = {id, "request", "shown", "record", false};
    job.tenant = "tenant";
    job.instances = instances;
    job.ranges = ranges;
    job.group = group;
    return job;
  }
  // Results of all that the chunk has but `left`, in blocks of `each`. A block's bytes tell the
  // first instance; its `instances` all of them.
  static ChunkResults Results(const Chunk& chunk, std::vector<InstanceRange> left = {},
                              uint64_t number = 1, uint64_t each = 1000) {
    InstanceSet missing;
    for (const InstanceRange& range : left) missing.Add(range.first, range.count);
    std::vector<uint64_t> done;
    for (uint64_t i = 0; i < chunk.instances.count; ++i) {
      if (!missing.Contains(chunk.instances.first + i)) done.push_back(chunk.instances.first + i);
    }
    ChunkResults results;
    results.chunk = chunk.id;
    results.number = number;
    results.left = std::move(left);
    for (uint64_t at = 0; at < done.size(); at += each) {
      BlockRow block;
      block.first = at;
      block.count = std::min<uint64_t>(each, done.size() - at);
      for (uint64_t i = 0; i < block.count; ++i) {
        block.instances += std::to_string(done[at + i]) + ' ';
      }
      block.data = Bytes(block.instances.begin(), block.instances.end());
      results.blocks.push_back(std::move(block));
    }
    return results;
  }
  static Result<SharedChange> NoChange(const SharedJob& /*job*/) { return SharedChange(); }
  static SharedJob Found(const Store& store, const std::string& id) {
    const Result<std::optional<SharedJob>> job = store->jobs().Find(id);
    EXPECT_TRUE(job.ok() && job->has_value()) << id << " " << job.status().message();
    return job.ok() && job->has_value() ? **job : SharedJob();
  }
  // The instances of the job's results in the order of their positions, which are dense.
  static std::vector<uint64_t> Instances(const Store& store, const std::string& id) {
    std::vector<uint64_t> instances;
    const SharedJob job = Found(store, id);
    for (uint64_t position = 0; position < job.next;) {
      const Result<BlockRow> block = store->jobs().ReadBlock(id, position);
      EXPECT_TRUE(block.ok()) << block.status().message();
      if (!block.ok()) break;
      EXPECT_EQ(block->first, position);
      std::istringstream text(block->instances);
      for (uint64_t instance = 0; text >> instance;) instances.push_back(instance);
      position += block->count;
      EXPECT_EQ(instances.size(), position);
    }
    return instances;
  }
  static std::vector<uint64_t> UpTo(uint64_t count) {
    std::vector<uint64_t> numbers(count);
    for (uint64_t i = 0; i < count; ++i) numbers[i] = i;
    return numbers;
  }

  PostgresServer* server_ = nullptr;
  std::string name_;
};

}  // namespace wb::test
