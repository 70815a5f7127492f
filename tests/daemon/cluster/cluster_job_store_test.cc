// What each of several daemons shows of the jobs that they share, and how their results make room.

#include "tests/daemon/cluster/cluster_home.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;

class ClusterJobStoreTest : public ClusterTest {};

TEST_F(ClusterJobStoreTest, AListenerHearsOfWhatAnotherDaemonRuns) {
  Host one(model_, "one");
  one.scheduler.Hold();
  const std::string id = one.Create("identity", 50);
  Host two(model_, "two");
  std::atomic<int> heard{0};
  const auto handle = two.jobs->Subscribe(id, [&heard] { ++heard; });
  ASSERT_TRUE(handle.ok()) << handle.status().ToString();
  one.scheduler.Release();
  AwaitEnd(two, id);
  EXPECT_TRUE(Await([&] { return heard.load() > 0; }));
}

TEST_F(ClusterJobStoreTest, AReaderSeesWhatAnotherDaemonHasTold) {
  Host one(model_, "one");
  const auto deaf = JobsOf(std::make_shared<SharedModelStore>(model_, "deaf"));
  one.scheduler.Hold();
  const std::string read_again = one.Create("identity", 20);
  const std::string read_on = one.Create("identity", 20);
  for (const std::string& id : {read_again, read_on}) EXPECT_TRUE(deaf->Get(id).ok());
  one.scheduler.Release();
  for (const std::string& id : {read_again, read_on}) AwaitEnd(one, id);

  EXPECT_TRUE(deaf->Read(read_again, 0, 10000)->slices.empty());  // who follows waits for news
  const Result<ResultRow> all =
      deaf->Read(read_again, 0, ReadBound(10000, ResultForm::kWhole, true));
  EXPECT_EQ(all->next, 20u);
  const Result<ResultRow> rest = deaf->Read(read_on, 15, 10000);  // with a cursor of the other one
  ASSERT_TRUE(rest.ok()) << rest.status().ToString();
  EXPECT_EQ(rest->next, 20u);
}

TEST_F(ClusterJobStoreTest, EachDaemonTellsHowFastAJobRunsAndWhenItEnds) {
  Host one(model_, "one", 500);
  const std::string id = one.Create("identity", 5000);
  Host two(model_, "two", 500);
  for (const Host* host : {&one, &two}) {
    EXPECT_TRUE(Await([&] {
      const JobInfo job = *host->jobs->Get(id);
      return job.instructions_per_second.value_or(0) > 0 && job.eta &&
             job.eta->earliest_unix_ns <= job.eta->latest_unix_ns;
    }));
  }
  EXPECT_TRUE(one.jobs->MarkCancelling(id).ok());
  EXPECT_EQ(AwaitEnd(two, id).instructions_per_second, std::nullopt);
}

TEST_F(ClusterJobStoreTest, ResultsOfEndedJobsThatNobodyReadsMakeRoom) {
  Host one(model_, "one");
  const std::string old = one.Create("identity", 10, "a");
  const std::string read = one.Create("identity", 10, "a");
  for (const std::string& id : {old, read}) AwaitEnd(one, id);
  EXPECT_EQ(one.jobs->Get(old)->results_dropped, 0u);
  const auto reader = one.jobs->Subscribe(read, [] {});
  Fill(read, kMostResults - 1000);
  Fill(old, 2000);
  EXPECT_TRUE(Await([&] { return one.jobs->Get(old)->results_dropped == 10; }));
  EXPECT_EQ(one.jobs->Get(read)->results_dropped, 0u);
  EXPECT_EQ(one.jobs->Read(old, 0, 1000).status().reason(), Reason::kCursorExpired);
}

TEST_F(ClusterJobStoreTest, AJobWaitsWhereUnreadResultsOfOthersLeaveNoRoomAndSaysSo) {
  Host one(model_, "one");
  Host two(model_, "two");
  const std::string full = one.Create("spin", 10, "a");
  EXPECT_TRUE(Await([&] { return one.jobs->Get(full)->state == JobState::kRunning; }));
  Fill(full, kMostResults);
  EXPECT_TRUE(Await([&] { return two.jobs->jobs().BytesOf(full) == kMostResults; }));
  EXPECT_TRUE(Await([&] { return one.jobs->jobs().BytesOf(full) == kMostResults; }));
  const std::string id = one.Create("identity", 10, "b");
  std::this_thread::sleep_for(milliseconds(100));
  for (const Host* host : {&one, &two}) {
    const JobInfo job = host->jobs->Get(id).value();
    EXPECT_EQ(job.state, JobState::kQueued);
    EXPECT_TRUE(job.held_by_others);
    EXPECT_NE(job.held_by_results.find("results.max_total_bytes"), std::string::npos);
    EXPECT_NE(job.held_by_results.find(full), std::string::npos) << job.held_by_results;
    EXPECT_EQ(job.waiting_for, job.held_by_results);
  }
  EXPECT_TRUE(one.jobs->MarkCancelling(full).ok());
  Fill(full, 0);
  EXPECT_EQ(AwaitEnd(two, id).state, JobState::kSucceeded);
  EXPECT_EQ(one.jobs->Get(id)->held_by_results, "");
}

TEST_F(ClusterJobStoreTest, TheSameRequestMakesOneJob) {
  Host one(model_, "one");
  Host two(model_, "two");
  JobRequest request = RequestOf("identity 10");
  request.request_id = "mine";
  request.body = Sha256(AsBytes("a body"));
  const auto first = one.jobs->Create(request);
  const auto second = two.jobs->Create(request);
  EXPECT_FALSE(first->existed);
  EXPECT_TRUE(second->existed);
  EXPECT_EQ(first->job.id, second->job.id);
  request.body = Sha256(AsBytes("another body"));
  EXPECT_EQ(two.jobs->Create(request).status().reason(), Reason::kRequestIdReused);
}

TEST_F(ClusterJobStoreTest, ADeletedJobIsGoneEverywhere) {
  Host one(model_, "one");
  const std::string id = one.Create("identity", 10);
  Host two(model_, "two");
  AwaitEnd(one, id);
  AwaitEnd(two, id);
  EXPECT_TRUE(two.jobs->Delete(id).ok());
  EXPECT_EQ(two.jobs->Get(id).status().reason(), Reason::kNotFound);
  EXPECT_TRUE(Await([&] { return one.jobs->Get(id).status().reason() == Reason::kNotFound; }));
}

TEST_F(ClusterJobStoreTest, AJobThatNobodyHasBegunIsCancelledAtOnce) {
  Host one(model_, "one");
  one.member->StopClaiming();
  const std::string id = one.Create("identity", 100);
  EXPECT_EQ(one.jobs->MarkCancelling(id)->state, JobState::kCancelled);
}

}  // namespace
}  // namespace wb::test
