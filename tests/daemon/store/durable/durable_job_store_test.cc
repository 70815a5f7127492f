// What is there of jobs when the next daemon opens the store.

#include <thread>

#include "tests/daemon/store/durable/durable_jobs.h"

namespace wb {
namespace {

class DurableJobStoreTest : public test::DurableJobsTest {};

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

TEST_P(DurableJobStoreTest, AnEndedJobStaysEnded) {
  const std::string id = NewJob();
  Append(id, 0, 10);
  JobUsage usage;
  usage.fuel = 30;
  usage.bursts = 4;
  usage.limit = "a limit";
  store_->SinkOf(id)->OnEnd(
      Status(Reason::kCompileFailed, "It did not compile.", {{"field", "module"}}), false, usage);
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
  store_->SinkOf(id)->OnProgress(progress);
  store_->SinkOf(id)->OnEnd({}, false, {});
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
  store_->SinkOf(id)->OnProgress(progress);
  Append(id, 0, 1);
  Barrier();
  Open();
  ASSERT_TRUE(store_->Restore(Load().at(0), Request()).ok());
  store_->SinkOf(id)->OnProgress(progress);
  EXPECT_EQ(store_->Get(id)->usage.bursts, 6u);
  EXPECT_EQ(store_->Get(id)->usage.joules, 3);
  EXPECT_EQ(store_->Get(id)->usage.lane_fuel, (LaneFuel{6, 8}));
  progress.usage.joules.reset();  // this daemon's devices have no sensor
  store_->SinkOf(id)->OnProgress(progress);
  EXPECT_EQ(store_->Get(id)->usage.joules, 1.5);
  store_->SinkOf(id)->OnEnd({}, false, progress.usage);
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
  store_->SinkOf(drained)->OnEnd({}, true, {});
  store_->SinkOf(cancelled)->OnEnd({}, true, {});
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
  store_->SinkOf(id)->OnEnd({}, false, {});
  Barrier();
  ASSERT_TRUE(store_->Delete(id).ok());
  Open();
  EXPECT_TRUE(Load().empty());
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
