#include "daemon/store/durable/durable_job_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include "compiler/base/check.h"
#include "daemon/metrics/store_metrics.h"
#include "tests/daemon/metrics/metric_text.h"
#include "tests/daemon/postgres/state_home.h"

namespace wb {
namespace {

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

class DurableJobStoreTest : public test::StateTest {
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
    ASSERT_EQ(store_->Reserve(id, count), count);
    store_->AppendResults(id, Results(first, count));
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
  std::vector<LoadedJob> Load() {
    std::vector<LoadedJob> jobs;
    EXPECT_TRUE(store_->Load([&](LoadedJob job) { jobs.push_back(std::move(job)); }).ok());
    return jobs;
  }

  DurableJobStore::Limits limits_;
  std::atomic<bool> full_{false};
  const std::shared_ptr<MetricRegistry> figures_ = std::make_shared<MetricRegistry>();
  std::unique_ptr<DurableJobStore> store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, DurableJobStoreTest,
                         testing::Values(test::StoreKind::kSqlite, test::StoreKind::kPostgres),
                         test::StoreKindName);

TEST_P(DurableJobStoreTest, AnAcceptedJobIsThereAfterARestart) {
  const std::string id = NewJob("one");
  Open();
  const std::vector<LoadedJob> jobs = Load();
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].record.info.id, id);
  EXPECT_EQ(jobs[0].record.info.state, JobState::kQueued);
  EXPECT_EQ(jobs[0].sent.whole, "all of it");
  EXPECT_EQ(jobs[0].sent.shown, "what is shown");
  const Result<JobInfo> restored = store_->Restore(jobs[0], Request());
  ASSERT_TRUE(restored.ok()) << restored.status().message();
  EXPECT_EQ(restored->id, id);
  // The same request finds it.
  const Result<JobStore::Created> again = store_->Create(Request("one"));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->existed);
  EXPECT_EQ(again->job.id, id);
}

TEST_P(DurableJobStoreTest, ResultsAreReadFromTheDisk) {
  const std::string id = NewJob();
  Append(id, 0, 10);
  Append(id, 50, 5);
  store_->AppendEnded(id, {20, 3, 1, End::kResultsLimit});
  Barrier();
  std::vector<uint64_t> all = From(0, 10);
  for (const uint64_t more : {50, 51, 52, 53, 54, 20, 21, 22}) all.push_back(more);
  EXPECT_EQ(Read(id), all);
  Open();
  const std::vector<LoadedJob> jobs = Load();
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].finished.ranges(), (std::vector<InstanceRange>{{0, 10}, {20, 3}, {50, 5}}));
  EXPECT_EQ(jobs[0].record.totals.fuel, 45u);
  EXPECT_EQ(jobs[0].record.totals.result_bytes, 60u);
  ASSERT_TRUE(store_->Restore(jobs[0], Request()).ok());
  EXPECT_EQ(Read(id), all);
  EXPECT_EQ(Read(id, 12), std::vector<uint64_t>(all.begin() + 12, all.end()));
  const JobInfo info = store_->Get(id).value();
  EXPECT_EQ(info.counts.finished, 18u);
  EXPECT_EQ(info.counts.by_end[static_cast<int>(End::kReturned)], 15u);
  EXPECT_EQ(info.counts.by_end[static_cast<int>(End::kResultsLimit)], 3u);
  // What comes now stands behind them.
  Append(id, 90, 2);
  Barrier();
  EXPECT_EQ(Read(id, 18), From(90, 2));
}

TEST_P(DurableJobStoreTest, AnEndedJobStaysEnded) {
  const std::string id = NewJob();
  Append(id, 0, 10);
  JobUsage usage;
  usage.fuel = 30;
  usage.bursts = 4;
  usage.limit = "a limit";
  store_->SetEnd(id, Status(Reason::kCompileFailed, "It did not compile.", {{"field", "module"}}),
                 false, usage);
  Barrier();
  Open();
  const std::vector<LoadedJob> jobs = Load();
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].sent.whole, "");
  ASSERT_TRUE(store_->Restore(jobs[0], Request()).ok());
  const JobInfo info = store_->Get(id).value();
  EXPECT_EQ(info.state, JobState::kFailed);
  EXPECT_EQ(info.error.reason(), Reason::kCompileFailed);
  EXPECT_EQ(info.error.message(), "It did not compile.");
  EXPECT_EQ(info.error.details(), (std::vector<Detail>{{"field", "module"}}));
  EXPECT_EQ(info.usage.bursts, 4u);
  EXPECT_EQ(info.usage.limit, "a limit");
  ASSERT_EQ(info.history.size(), 2u);
  EXPECT_EQ(info.history[1].state, JobState::kFailed);
  const Result<ResultRow> row = store_->Read(id, 0, 1 << 20);
  ASSERT_TRUE(row.ok());
  EXPECT_TRUE(row->last);
  EXPECT_EQ(Read(id), From(0, 10));
}

TEST_P(DurableJobStoreTest, OneThatEndsBeforeItIsPublishedIsKeptWhole) {
  const std::string id = store_->Create(Request())->job.id;
  JobProgress progress;
  progress.phase = JobPhase::kRunning;
  progress.device = "cpu0";
  store_->SetProgress(id, progress);
  store_->SetEnd(id, {}, false, {});
  Barrier();
  EXPECT_EQ(store_->Publish(id).state, JobState::kSucceeded);
  Open();
  const std::vector<LoadedJob> jobs = Load();
  ASSERT_EQ(jobs.size(), 1u);
  ASSERT_TRUE(store_->Restore(jobs[0], Request()).ok());
  const JobInfo info = store_->Get(id).value();
  EXPECT_EQ(info.device, "cpu0");
  ASSERT_EQ(info.history.size(), 3u);
  EXPECT_EQ(info.history[1].state, JobState::kRunning);
}

TEST_P(DurableJobStoreTest, UsageAddsUpOverDaemons) {
  const std::string id = NewJob();
  JobProgress progress;
  progress.phase = JobPhase::kRunning;
  progress.usage.bursts = 3;
  progress.usage.device_time = std::chrono::seconds(2);
  progress.usage.joules = 1.5;
  progress.usage.lane_fuel = {.useful = 3, .resident = 4};
  store_->SetProgress(id, progress);
  Append(id, 0, 1);
  Barrier();
  Open();
  ASSERT_TRUE(store_->Restore(Load().at(0), Request()).ok());
  store_->SetProgress(id, progress);
  EXPECT_EQ(store_->Get(id)->usage.bursts, 6u);
  EXPECT_EQ(store_->Get(id)->usage.joules, 3);
  EXPECT_EQ(store_->Get(id)->usage.lane_fuel, (LaneFuel{6, 8}));
  progress.usage.joules.reset();  // this daemon's devices have no sensor
  store_->SetProgress(id, progress);
  EXPECT_EQ(store_->Get(id)->usage.joules, 1.5);
  store_->SetEnd(id, {}, false, progress.usage);
  Barrier();
  EXPECT_EQ(store_->Get(id)->usage.device_time, std::chrono::seconds(4));
  EXPECT_EQ(store_->Get(id)->usage.joules, 1.5);
}

TEST_P(DurableJobStoreTest, ACancelledJobIsNotTakenUpAgain) {
  const std::string id = NewJob();
  ASSERT_TRUE(store_->MarkCancelling(id).ok());
  Open();
  EXPECT_EQ(Load().at(0).record.info.state, JobState::kCancelling);
}

TEST_P(DurableJobStoreTest, ADrainedJobGoesOn) {
  const std::string drained = NewJob();
  const std::string cancelled = NewJob();
  ASSERT_TRUE(store_->MarkCancelling(cancelled).ok());
  store_->Suspend();
  store_->SetEnd(drained, {}, true, {});
  store_->SetEnd(cancelled, {}, true, {});
  Barrier();
  Open();
  const std::vector<LoadedJob> jobs = Load();
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_FALSE(IsTerminal(jobs[0].record.info.state));
  EXPECT_EQ(jobs[1].record.info.state, JobState::kCancelled);
}

TEST_P(DurableJobStoreTest, EachDaemonIsAnAttempt) {
  NewJob();
  for (uint32_t attempt = 1; attempt <= 3; ++attempt) {
    Open();
    const std::vector<LoadedJob> jobs = Load();
    EXPECT_EQ(jobs.at(0).record.attempt, attempt);
    ASSERT_TRUE(store_->Restore(jobs[0], Request()).ok());
    Barrier();
  }
}

TEST_P(DurableJobStoreTest, DeletedAndRefusedJobsDoNotComeBack) {
  const std::string id = NewJob();
  store_->SetEnd(id, {}, false, {});
  Barrier();
  ASSERT_TRUE(store_->Delete(id).ok());
  Open();
  EXPECT_TRUE(Load().empty());
}

// More than the cache holds, and more results than a block.
TEST_P(DurableJobStoreTest, ManyResultsKeepTheirOrder) {
  const std::string id = NewJob();
  for (uint64_t first = 0; first < 50'000; first += 10'000) {
    uint64_t at = 0;
    while (at < 10'000) {
      const uint64_t granted = store_->Reserve(id, 10'000 - at);
      if (granted > 0) store_->AppendResults(id, Results(first + at, granted));
      at += granted;
      if (granted == 0) Barrier();
    }
  }
  Barrier();
  std::vector<uint64_t> all;
  for (uint64_t position = 0; position < 50'000;) {
    const Result<ResultRow> row = store_->Read(id, position, 100'000);
    ASSERT_TRUE(row.ok()) << row.status().message();
    ASSERT_GT(row->next, position);
    ASSERT_EQ(row->available, 50'000 - row->next);
    for (const ResultSlice& slice : row->slices) {
      for (size_t i = slice.from; i < slice.to; ++i) all.push_back(slice.batch->instances()[i]);
    }
    position = row->next;
  }
  EXPECT_EQ(all, From(0, 50'000));
}

TEST_P(DurableJobStoreTest, RoomIsBoundedByMemoryUntilResultsAreStored) {
  const std::string id = NewJob();
  const uint64_t room = store_->Room(id);
  EXPECT_GT(room, 100u);
  EXPECT_LT(room, 2000u);  // of a MiB, each 1,000 bytes at most
  std::atomic<int> calls{0};
  store_->Listen({[&calls](JobId) { ++calls; }});
  ASSERT_EQ(store_->Reserve(id, room), room);
  EXPECT_EQ(store_->Reserve(id, 1), 0u);
  store_->AppendResults(id, Results(0, room));
  Barrier();
  EXPECT_GT(store_->Room(id), 0u);
  EXPECT_EQ(calls, 1);
  store_->Listen({});
}

TEST_P(DurableJobStoreTest, AFullDiskRefusesJobsAndKeepsResults) {
  const std::string id = NewJob();
  full_ = true;
  Append(id, 0, 10);
  const Result<JobStore::Created> refused = store_->Create(Request());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().reason(), Reason::kNoSpace);
  EXPECT_TRUE(Read(id).empty());
  EXPECT_TRUE(store_->MarkCancelling(id).ok());
  EXPECT_TRUE(store_->is_failing());
  const std::string failures = "wasmburst_storage_commit_failures_total";
  EXPECT_GE(ReadMetricText(figures_->Text()).Value(failures), 1);
  full_ = false;
  Barrier();
  EXPECT_FALSE(store_->is_failing());
  EXPECT_EQ(Read(id), From(0, 10));
  EXPECT_EQ(store_->List({}, "", 100).jobs.size(), 1u);
  Open();
  const std::vector<LoadedJob> jobs = Load();
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].record.info.state, JobState::kCancelling);
  EXPECT_EQ(jobs[0].finished.count(), 10u);
}

// That nothing is left to write is no sign that the disk works: something is written.
TEST_P(DurableJobStoreTest, AFullDiskIsTriedAgainWhereNobodyWrites) {
  const auto until = [this](const std::function<bool()>& is_so) {
    for (int tries = 0; tries < 1000 && !is_so(); ++tries) {
      store_->Expire();  // as the daemon does every second
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return is_so();
  };
  full_ = true;
  EXPECT_FALSE(store_->Create(Request()).ok());
  EXPECT_TRUE(until([this] {
    return ReadMetricText(figures_->Text()).Value("wasmburst_storage_commit_failures_total") >= 3;
  }));
  EXPECT_TRUE(store_->is_failing());
  full_ = false;
  EXPECT_TRUE(until([this] { return !store_->is_failing(); }));
}

TEST_P(DurableJobStoreTest, AcknowledgedResultsMakeRoomOnTheDisk) {
  limits_.jobs.results = {100'000, 100'000, 1000};
  Open();
  const std::string id = NewJob();
  uint64_t came = 0;
  while (store_->Room(id) > 0) {
    Append(id, came++, 1);
    Barrier();
  }
  EXPECT_LT(came, 100u);
  EXPECT_NE(store_->Get(id)->held_by_results.find("results.max_job_bytes"), std::string::npos);
  EXPECT_TRUE(store_->Acknowledge(id, came).value());
  EXPECT_GT(store_->Room(id), 0u);
  for (int i = 0; i < 90 && store_->Read(id, 0, 1000).ok(); ++i) {
    Append(id, came++, 1);
    Barrier();
    EXPECT_TRUE(store_->Acknowledge(id, came).ok());
  }
  EXPECT_EQ(store_->Read(id, 0, 1000).status().reason(), Reason::kCursorExpired);
  EXPECT_EQ(Read(id, came - 1), From(came - 1, 1));
  // Those that are gone have run all the same.
  Open();
  EXPECT_EQ(Load().at(0).finished.count(), came);
}

TEST_P(DurableJobStoreTest, CreatesFromManyThreadsShareCommits) {
  std::vector<std::thread> threads;
  std::atomic<int> created{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int job = 0; job < 10; ++job) created += store_->Create(Request()).ok() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(created, 80);
  Open();
  EXPECT_EQ(Load().size(), 80u);
}

}  // namespace
}  // namespace wb
