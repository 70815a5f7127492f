#pragma once

// DurableJobsTest: a DurableJobStore over SQLite and over PostgreSQL, which a test opens again as
// the next daemon does, and whose disk may be full.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/metrics/store_metrics.h"
#include "daemon/store/durable/durable_job_store.h"
#include "tests/daemon/postgres/state_home.h"

namespace wb::test {

// A database whose disk is full while a test says so.
class FullableStore : public DurableStore {
 public:
  FullableStore(std::unique_ptr<DurableStore> inner, const std::atomic<bool>* full)
      : inner_(std::move(inner)), full_(*full) {}
  Status Commit(const StoreChange& change) override {
    if (full_) return Status(Reason::kNoSpace, "The disk is full.");
    return inner_->Commit(change);
  }
  Status LoadJobs(const std::function<Status(JobRow, std::vector<BlockHead>)>& visit) override {
    return inner_->LoadJobs(visit);
  }
  Result<BlockRow> ReadBlock(const std::string& job, uint64_t position) override {
    return inner_->ReadBlock(job, position);
  }
  Result<std::string> ReadRequest(const std::string& job) override {
    return inner_->ReadRequest(job);
  }
  void Tidy() override { inner_->Tidy(); }

 private:
  const std::unique_ptr<DurableStore> inner_;
  const std::atomic<bool>& full_;
};

class DurableJobsTest : public StateTest {
 protected:
  void SetUp() override {
    StateTest::SetUp();
    if (IsSkipped()) return;
    limits_.jobs = {100, {uint64_t{1} << 30, 0, uint64_t{1} << 30}, 1'000'000'000};
    limits_.max_memory_bytes = 1 << 20;
    Open();
  }
  void TearDown() override { store_.reset(); }
  void Open() {
    store_.reset();
    auto state = home_.Open();
    ASSERT_TRUE(state.ok()) << state.status().message();
    store_ = std::make_unique<DurableJobStore>(
        std::make_unique<FullableStore>(std::move(state->jobs), &full_), limits_,
        [] { return int64_t{1'700'000'000'000'000'000}; },
        std::make_shared<StoreMetrics>(figures_, std::vector<std::string>(),
                                       std::vector<std::string>()));
  }
  static JobRequest Request(const std::string& request_id = "") {
    JobRequest request;
    request.instances = 100;
    request.request_id = request_id;
    request.most_result_bytes = 1000;
    auto sent = std::make_shared<SentRequest>();
    sent->whole = "all of it";
    sent->shown = "what is shown";
    request.sent = sent;
    return request;
  }
  std::string NewJob(const std::string& request_id = "") {
    Result<JobStore::Created> created = store_->Create(Request(request_id));
    EXPECT_TRUE(created.ok()) << created.status().message();
    return store_->Publish(created->job.id).id;
  }
  static std::vector<InstanceResult> Results(uint64_t first, uint64_t count) {
    std::vector<InstanceResult> results(count);
    for (uint64_t i = 0; i < count; ++i) {
      results[i].instance = first + i;
      results[i].fuel = 3;
      results[i].steps.emplace_back().values.push_back(
          Value::I32(static_cast<uint32_t>(first + i)));
    }
    return results;
  }
  // Results come as they do from a scheduler: with room.
  void Append(const std::string& id, uint64_t first, uint64_t count) {
    ASSERT_EQ(store_->SinkOf(id)->Reserve(count), count);
    store_->SinkOf(id)->OnResults(Results(first, count));
  }
  // Waits until what came before is on the disk.
  void Settle() { ASSERT_EQ(store_->Delete("none").reason(), Reason::kNotFound), Barrier(); }
  void Barrier() {
    const Result<JobStore::Created> created = store_->Create(Request());
    ASSERT_TRUE(created.ok());
    store_->Discard(created->job.id);
  }
  std::vector<uint64_t> Read(const std::string& id, uint64_t position = 0) {
    std::vector<uint64_t> instances;
    Result<ResultRow> row = store_->Read(id, position, 1 << 30);
    EXPECT_TRUE(row.ok()) << row.status().message();
    if (!row.ok()) return {};
    for (const ResultSlice& slice : row->slices) {
      for (size_t i = slice.from; i < slice.to; ++i) {
        instances.push_back(slice.batch->instances()[i]);
      }
    }
    return instances;
  }
  static std::vector<uint64_t> From(uint64_t first, uint64_t count) {
    std::vector<uint64_t> numbers;
    for (uint64_t i = 0; i < count; ++i) numbers.push_back(first + i);
    return numbers;
  }
  std::vector<wb::LoadedJob> Load() {
    std::vector<wb::LoadedJob> jobs;
    EXPECT_TRUE(store_->Load([&](wb::LoadedJob job) { jobs.push_back(std::move(job)); }).ok());
    return jobs;
  }

  DurableJobStore::Limits limits_;
  std::atomic<bool> full_{false};
  const std::shared_ptr<MetricRegistry> figures_ = std::make_shared<MetricRegistry>();
  std::unique_ptr<DurableJobStore> store_;
};

}  // namespace wb::test
