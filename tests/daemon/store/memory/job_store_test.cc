// Jobs: how they are made, found, moved from state to state and forgotten.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/daemon/store/memory/job_store_fixture.h"

namespace wb {
namespace {

TEST_F(JobStoreTest, IsInvisibleUntilPublished) {
  std::string id = store_.Create(Request()).value().job.id;
  EXPECT_EQ(store_.Get(id).status().reason(), Reason::kNotFound);
  EXPECT_TRUE(store_.List({}, "", 10).jobs.empty());
  store_.Publish(id);
  EXPECT_TRUE(store_.Get(id).ok());
}

TEST_F(JobStoreTest, SameRequestIsTheSameJob) {
  std::string id = NewJob("r1");
  Result<JobStore::Created> again = store_.Create(Request("r1"));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->existed);
  EXPECT_EQ(again->job.id, id);
  EXPECT_EQ(store_.Create(Request("r1", "other")).status().reason(), Reason::kRequestIdReused);
  EXPECT_FALSE(store_.Create(Request("r2")).value().existed);
}

TEST_F(JobStoreTest, RepeatingWhileTheFirstIsBeingMadeIsUnavailable) {
  std::string id = store_.Create(Request("r1")).value().job.id;
  EXPECT_EQ(store_.Create(Request("r1")).status().reason(), Reason::kUnavailable);
  store_.Discard(id);
  EXPECT_FALSE(store_.Create(Request("r1")).value().existed);
}

TEST_F(JobStoreTest, ListsNewestFirstInPages) {
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(NewJob());
  JobPage page = store_.List({}, "", 2);
  ASSERT_EQ(page.jobs.size(), 2u);
  EXPECT_TRUE(page.more);
  EXPECT_EQ(page.jobs[0].id, ids[4]);
  page = store_.List({}, page.jobs[1].id, 2);
  EXPECT_EQ(page.jobs[0].id, ids[2]);
  page = store_.List({}, page.jobs[1].id, 2);
  EXPECT_EQ(page.jobs.size(), 1u);
  EXPECT_FALSE(page.more);
  store_.SinkOf(ids[1])->OnEnd({}, false, {});
  uint32_t succeeded = 1u << static_cast<int>(JobState::kSucceeded);
  EXPECT_EQ(store_.List({succeeded, {}}, "", 10).jobs[0].id, ids[1]);
}

TEST_F(JobStoreTest, AJobThatLeavesIsCheckpointedAndMayGoOn) {
  const std::string id = NewJob();
  EXPECT_EQ(store_.MarkResumed(id, {}).status().reason(), Reason::kInvalidArgument);
  ASSERT_TRUE(store_.MarkLeaving(id).ok());
  EXPECT_EQ(store_.MarkLeaving(id).status().reason(), Reason::kInvalidArgument);
  store_.SinkOf(id)->OnEnd({}, true, {});
  EXPECT_EQ(store_.Get(id)->state, JobState::kCheckpointed);
  EXPECT_EQ(store_.Delete(id).reason(), Reason::kJobRunning);
  const Result<JobInfo> resumed = store_.MarkResumed(id, Placement::kInterpreter);
  ASSERT_TRUE(resumed.ok());
  EXPECT_EQ(resumed->state, JobState::kQueued);
  EXPECT_EQ(resumed->request->placement, Placement::kInterpreter);
  // Whoever is cancelled meanwhile, or has its results, is not checkpointed.
  ASSERT_TRUE(store_.MarkLeaving(id).ok());
  ASSERT_TRUE(store_.MarkCancelling(id).ok());
  store_.SinkOf(id)->OnEnd({}, true, {});
  EXPECT_EQ(store_.Get(id)->state, JobState::kCancelled);
  EXPECT_EQ(store_.MarkLeaving(id).status().reason(), Reason::kJobTerminal);
  const std::string whole = NewJob();
  ASSERT_TRUE(store_.MarkLeaving(whole).ok());
  store_.SinkOf(whole)->OnEnd({}, false, {});
  EXPECT_EQ(store_.Get(whole)->state, JobState::kSucceeded);
}

TEST_F(JobStoreTest, IsBounded) {
  for (int i = 0; i < 5; ++i) NewJob();
  EXPECT_EQ(store_.Create(Request()).status().reason(), Reason::kQueueFull);
}

TEST_F(JobStoreTest, EndedJobsMakeRoomForNewOnes) {
  std::vector<std::string> ids;
  for (const char* tenant : {"few", "many", "many", "many", "few"}) {
    JobRequest request = Request();
    request.tenant = tenant;
    ids.push_back(store_.Publish(store_.Create(request)->job.id).id);
  }
  for (size_t i = 0; i < 4; ++i) store_.SinkOf(ids[i])->OnEnd({}, false, {});
  // Of the tenant with most ended jobs, the oldest; never one that has not ended.
  NewJob();
  EXPECT_EQ(store_.Get(ids[1]).status().reason(), Reason::kNotFound);
  NewJob();
  EXPECT_EQ(store_.Get(ids[2]).status().reason(), Reason::kNotFound);
  NewJob();
  NewJob();
  EXPECT_TRUE(store_.Get(ids[4]).ok());
  EXPECT_EQ(store_.Create(Request()).status().reason(), Reason::kQueueFull);
}

TEST_F(JobStoreTest, EndedJobsExpire) {
  std::string id = NewJob("r1");
  NewJob();
  store_.SinkOf(id)->OnResults(Results(0, 10));
  store_.SinkOf(id)->OnEnd({}, false, {});
  now_ += 999;
  store_.Expire();
  EXPECT_TRUE(store_.Get(id).ok());
  now_ += 1;
  store_.Expire();
  EXPECT_EQ(store_.Get(id).status().reason(), Reason::kNotFound);
  EXPECT_EQ(store_.Figures().jobs, 1u);
  EXPECT_EQ(store_.Figures().result_bytes, 0u);
  EXPECT_FALSE(store_.Create(Request("r1")).value().existed);
}

TEST_F(JobStoreTest, StatesMoveForward) {
  std::string id = NewJob();
  JobProgress progress;
  progress.phase = JobPhase::kRunning;
  progress.running = 3;
  store_.SinkOf(id)->OnProgress(progress);
  EXPECT_EQ(store_.Get(id)->state, JobState::kRunning);
  EXPECT_EQ(store_.Delete(id).reason(), Reason::kJobRunning);
  EXPECT_EQ(store_.MarkCancelling(id)->state, JobState::kCancelling);
  store_.SinkOf(id)->OnProgress(progress);
  EXPECT_EQ(store_.Get(id)->state, JobState::kCancelling);
  store_.SinkOf(id)->OnEnd({}, true, {});
  EXPECT_EQ(store_.Get(id)->state, JobState::kCancelled);
  EXPECT_EQ(store_.MarkCancelling(id).status().reason(), Reason::kJobTerminal);
  store_.SinkOf(id)->OnProgress(progress);
  EXPECT_EQ(store_.Get(id)->state, JobState::kCancelled);
  EXPECT_EQ(store_.Get(id)->history.size(), 4u);
  EXPECT_TRUE(store_.Delete(id).ok());
  EXPECT_EQ(store_.Delete(id).reason(), Reason::kNotFound);
}

TEST_F(JobStoreTest, AForecastIsAsOfItsProgressAndGoneWithTheEnd) {
  const std::string id = NewJob();
  JobProgress progress;
  progress.phase = JobPhase::kRunning;
  progress.forecast.instructions_per_second = 1e9;
  progress.forecast.left = {std::chrono::seconds(2), std::chrono::seconds(5)};
  store_.SinkOf(id)->OnProgress(progress);
  const int64_t then = now_;
  now_ += 100;
  EXPECT_EQ(store_.Get(id)->instructions_per_second, 1e9);
  ASSERT_TRUE(store_.Get(id)->eta);
  EXPECT_EQ(store_.Get(id)->eta->earliest_unix_ns, then + 2'000'000'000);
  EXPECT_EQ(store_.Get(id)->eta->latest_unix_ns, then + 5'000'000'000);
  progress.forecast.left.reset();
  store_.SinkOf(id)->OnProgress(progress);
  EXPECT_FALSE(store_.Get(id)->eta);
  store_.SinkOf(id)->OnEnd({}, false, {});
  EXPECT_FALSE(store_.Get(id)->instructions_per_second);
}

TEST_F(JobStoreTest, LostInstancesFailTheJob) {
  std::string id = NewJob();
  std::vector<InstanceResult> results = Results(0, 1);
  results[0].end = End::kFailed;
  store_.SinkOf(id)->OnResults(results);
  store_.SinkOf(id)->OnEnd({}, false, {});
  EXPECT_EQ(store_.Get(id)->state, JobState::kFailed);
  EXPECT_EQ(store_.Get(id)->error.reason(), Reason::kDeviceLost);
}

TEST_F(JobStoreTest, ListenersHearChangesUntilDropped) {
  std::string id = NewJob();
  int calls = 0;
  auto handle = store_.Subscribe(id, [&calls] { ++calls; }).value();
  store_.SinkOf(id)->OnResults(Results(0, 1));
  EXPECT_EQ(calls, 1);
  store_.SinkOf(id)->OnEnd({}, false, {});
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(store_.Delete(id).ok());
  EXPECT_EQ(calls, 3);
  handle.reset();
  EXPECT_FALSE(store_.Subscribe(id, [] {}).ok());
}

TEST_F(JobStoreTest, ListenersHearOfTheLastResultsWithTheEnd) {
  const std::string id = NewJob();
  const uint64_t instances = store_.Get(id)->request->instances;
  std::vector<JobState> seen;
  const auto handle = store_.Subscribe(id, [&] { seen.push_back(store_.Get(id)->state); }).value();
  store_.SinkOf(id)->OnResults(Results(0, instances - 1));
  ASSERT_EQ(seen.size(), 1u);
  store_.SinkOf(id)->OnResults(Results(instances - 1, 1));
  store_.SinkOf(id)->OnProgress({});
  EXPECT_EQ(seen.size(), 1u);
  EXPECT_TRUE(store_.Read(id, 0, SIZE_MAX)->available == 0);  // who asks is told
  store_.SinkOf(id)->OnEnd({}, false, {});
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[1], JobState::kSucceeded);
}

TEST_F(JobStoreTest, ListenersMayCallTheStore) {
  const std::string id = NewJob();
  uint64_t seen = 0;
  auto handle =
      store_.Subscribe(id, [this, &id, &seen] { seen = store_.Get(id)->counts.finished; }).value();
  store_.SinkOf(id)->OnResults(Results(0, 3));
  EXPECT_EQ(seen, 3u);
}

TEST_F(JobStoreTest, AListenerMayDropItsHandle) {
  const std::string id = NewJob();
  std::shared_ptr<void> handle;
  int calls = 0;
  handle = store_
               .Subscribe(id,
                          [&] {
                            ++calls;
                            handle.reset();
                          })
               .value();
  store_.SinkOf(id)->OnResults(Results(0, 1));
  store_.SinkOf(id)->OnResults(Results(1, 1));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace wb
