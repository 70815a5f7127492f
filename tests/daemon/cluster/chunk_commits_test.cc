// What comes of chunks where the store does not answer, or a daemon cannot run them.

#include "tests/daemon/cluster/cluster_home.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;

class ChunkCommitsTest : public ClusterTest {};

TEST_F(ChunkCommitsTest, AnAnswerThatIsLostDoublesNothing) {
  Host one(model_, "one");
  {
    const std::lock_guard lock(model_->mutex);
    model_->lose_answers = 2;
  }
  const std::string id = one.Create("identity", 60);
  EXPECT_EQ(AwaitEnd(one, id).state, JobState::kSucceeded);
  EXPECT_EQ(one.jobs->Get(id)->counts.finished, 60u);
  ExpectEachOnce(one, id, 60);
}

TEST_F(ChunkCommitsTest, UsageOfWhatWentBackCountsOnceThoughTheAnswerWasLost) {
  Host one(model_, "one");
  const std::string id = one.Create("spin", 100);
  EXPECT_TRUE(Await([&] { return one.jobs->Get(id)->state == JobState::kRunning; }));
  one.member->StopClaiming();
  size_t chunks = 0;
  {
    const std::lock_guard lock(model_->mutex);
    chunks = model_->chunks.size();
    model_->lose_returns = 2;
  }
  EXPECT_TRUE(one.jobs->MarkCancelling(id).ok());
  EXPECT_EQ(AwaitEnd(one, id).usage.bursts, chunks);  // one of each
  const std::lock_guard lock(model_->mutex);
  EXPECT_LT(model_->lose_returns, 2u);
}

TEST_F(ChunkCommitsTest, ResultsWaitForAStoreThatDoesNotAnswer) {
  Host one(model_, "one");
  one.scheduler.Hold();
  const std::string id = one.Create("identity", 20);
  EXPECT_TRUE(Await([&] { return HasClaimed(one); }));
  {
    const std::lock_guard lock(model_->mutex);
    model_->is_down = true;
  }
  one.scheduler.Release();
  EXPECT_EQ(one.jobs->Create(RequestOf("identity 1")).status().reason(), Reason::kMachineFault);
  std::this_thread::sleep_for(milliseconds(100));
  {
    const std::lock_guard lock(model_->mutex);
    model_->is_down = false;
  }
  EXPECT_EQ(AwaitEnd(one, id).state, JobState::kSucceeded);
  ExpectEachOnce(one, id, 20);
}

TEST_F(ChunkCommitsTest, AJobThatCanRunNowhereFails) {
  Host one(model_, "one");
  one.scheduler.RefuseNext(Status(Reason::kCompileFailed, "It does not compile."));
  const JobInfo job = AwaitEnd(one, one.Create("identity", 10));
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.error.message(), "It does not compile.");
}

TEST_F(ChunkCommitsTest, AJobThatOneDaemonCannotRunIsLeftToOthers) {
  Host one(model_, "one");
  one.scheduler.RefuseNext(Status(Reason::kNoDeviceFits, "No device here."));
  const std::string id = one.Create("identity", 10);
  Host two(model_, "two");
  EXPECT_EQ(AwaitEnd(two, id).state, JobState::kSucceeded);
  ExpectEachOnce(two, id, 10);
}

}  // namespace
}  // namespace wb::test
