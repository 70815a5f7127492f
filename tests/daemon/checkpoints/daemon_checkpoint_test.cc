// CheckpointJob and ResumeJob, and states over a restart.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "client/services/jobs.h"
#include "tests/daemon/services/daemon_fixture.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint64_t kCheckpointed = 50;

class DaemonCheckpointTest : public DaemonTest {
 protected:
  void StartDurable() {
    state_directory_ = folder_ + "/state";
    Start();
  }
  void Restart() {
    client_.reset();
    daemon_.reset();
    scheduler_ = std::make_unique<FakeScheduler>();
    Start();
  }
  // Held, so that nothing of it has run.
  std::string CreateHeld() {
    scheduler_->Hold();
    return Create("identity", kCheckpointed);
  }
  v1::Job Await(const std::string& name, v1::Job::State state) {
    v1::WatchJobRequest request;
    request.set_name(name);
    v1::Job last;
    (void)WatchJob(*client_, request, [&](const v1::JobEvent& event) {
      if (event.has_job()) last = event.job();
      return last.state() != state;
    });
    EXPECT_EQ(last.state(), state) << last.ShortDebugString();
    return GetJob(*client_, name).value();
  }
  v1::Job Checkpoint(const std::string& name) {
    const auto job = CheckpointJob(*client_, name);
    EXPECT_TRUE(job.ok()) << job.status().message();
    scheduler_->Release();
    return Await(name, v1::Job::CHECKPOINTED);
  }
  Result<v1::Job> Resume(const std::string& name,
                         v1::Placement placement = v1::PLACEMENT_UNSPECIFIED) {
    v1::ResumeJobRequest request;
    request.set_name(name);
    if (placement != v1::PLACEMENT_UNSPECIFIED) request.set_placement(placement);
    return ResumeJob(*client_, request);
  }
  void ExpectResults(const std::string& name) {
    v1::ReadResultsRequest request;
    request.set_name(name);
    request.set_follow(true);
    std::map<uint64_t, int32_t> values;
    const Status read = ReadResults(*client_, request, [&](const v1::ReadResultsResponse& part) {
      for (const v1::InstanceResult& result : part.results()) {
        EXPECT_TRUE(values.emplace(result.instance(), result.steps(0).values(0).i32()).second);
      }
      return true;
    });
    EXPECT_TRUE(read.ok()) << read.message();
    EXPECT_EQ(values.size(), kCheckpointed);
    for (const auto& [instance, value] : values) EXPECT_EQ(value, static_cast<int32_t>(instance));
  }
  // The job's file of this instance, on the disk.
  std::string FileOf(const std::string& name, uint64_t instance) const {
    return state_directory_ + "/states/" + name.substr(5) + "/" + std::to_string(instance);
  }
};

TEST_F(DaemonCheckpointTest, AJobStopsAndGoesOnElsewhere) {
  StartDurable();
  const std::string name = CreateHeld();
  const v1::Job left = Checkpoint(name);
  EXPECT_EQ(left.checkpoint().states(), kCheckpointed);
  EXPECT_GT(left.checkpoint().bytes(), kCheckpointed * 100);
  EXPECT_EQ(CheckpointJob(*client_, name).status().reason(), Reason::kInvalidArgument);
  const auto resumed = Resume(name, v1::INTERPRETER);
  ASSERT_TRUE(resumed.ok()) << resumed.status().message();
  EXPECT_EQ(resumed->placement(), v1::INTERPRETER);
  const std::shared_ptr<const JobBefore> before = scheduler_->last_before();
  ASSERT_NE(before, nullptr);
  ASSERT_EQ(before->midway.size(), kCheckpointed);
  EXPECT_EQ(before->lost_states, 0u);
  const auto state = before->midway[7].state->Read();
  ASSERT_TRUE(state.ok()) << state.status().message();
  EXPECT_EQ((*state)->image.state, (std::vector<uint32_t>{7}));
  EXPECT_EQ((*state)->fuel, FakeScheduler::kFakeFuel);
  ExpectResults(name);
  EXPECT_EQ(WaitForEnd(name).state(), v1::Job::SUCCEEDED);
  EXPECT_FALSE(Resume(name).ok());
  EXPECT_EQ(CheckpointJob(*client_, name).status().reason(), Reason::kJobTerminal);
}

TEST_F(DaemonCheckpointTest, InMemoryLikewise) {
  Start();
  const std::string name = CreateHeld();
  EXPECT_EQ(Checkpoint(name).checkpoint().states(), kCheckpointed);
  ASSERT_TRUE(Resume(name).ok());
  ASSERT_EQ(scheduler_->last_before()->midway.size(), kCheckpointed);
  EXPECT_TRUE(scheduler_->last_before()->midway[0].state->Read().ok());
  ExpectResults(name);
}

TEST_F(DaemonCheckpointTest, OneThatIsNotCheckpointedIsNotResumed) {
  StartDurable();
  const std::string name = CreateHeld();
  const Status refused = Resume(name).status();
  EXPECT_EQ(refused.reason(), Reason::kInvalidArgument);
  EXPECT_NE(refused.message().find("is checkpointed"), std::string::npos) << refused.message();
  EXPECT_EQ(Resume("jobs/01J00000000000000000000000").status().reason(), Reason::kNotFound);
  EXPECT_EQ(CheckpointJob(*client_, "jobs/01J00000000000000000000000").status().reason(),
            Reason::kNotFound);
}

TEST_F(DaemonCheckpointTest, ACheckpointedJobSurvivesARestartAndIsResumedThen) {
  StartDurable();
  const std::string name = CreateHeld();
  Checkpoint(name);
  Restart();
  const v1::Job job = GetJob(*client_, name).value();
  EXPECT_EQ(job.state(), v1::Job::CHECKPOINTED);
  EXPECT_EQ(job.checkpoint().states(), kCheckpointed);
  EXPECT_EQ(scheduler_->last_before(), nullptr) << "it waits for its client";
  ASSERT_TRUE(Resume(name, v1::CPU).ok());
  EXPECT_EQ(scheduler_->last_before()->midway.size(), kCheckpointed);
  ExpectResults(name);
  Restart();
  EXPECT_EQ(GetJob(*client_, name)->state(), v1::Job::SUCCEEDED);
}

// Its place is that of the resume, also in the next daemon.
TEST_F(DaemonCheckpointTest, AResumedJobGoesOnAfterARestart) {
  StartDurable();
  const std::string name = CreateHeld();
  Checkpoint(name);
  scheduler_->Hold();
  ASSERT_TRUE(Resume(name, v1::INTERPRETER).ok());
  Restart();
  EXPECT_EQ(GetJob(*client_, name)->placement(), v1::INTERPRETER);
  ASSERT_NE(scheduler_->last_before(), nullptr);
  EXPECT_EQ(scheduler_->last_before()->midway.size(), kCheckpointed)
      << "an instance may begin in any state that it was left in";
  ExpectResults(name);
}

TEST_F(DaemonCheckpointTest, StatesThatAreDamagedOrOfAnotherVersionAreCounted) {
  StartDurable();
  const std::string name = CreateHeld();
  Checkpoint(name);
  client_.reset();
  daemon_.reset();
  std::filesystem::resize_file(FileOf(name, 1), 30);
  std::filesystem::resize_file(FileOf(name, 2), 0);
  std::ofstream(FileOf(name, 3), std::ios::in).write("WBSTATE9", 8);
  std::filesystem::copy_file(FileOf(name, 4), FileOf(name, 5),
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::remove(FileOf(name, 6));
  Restart();
  ASSERT_TRUE(Resume(name).ok());
  const std::shared_ptr<const JobBefore> before = scheduler_->last_before();
  EXPECT_EQ(before->midway.size(), kCheckpointed - 5);
  EXPECT_EQ(before->lost_states, 4u);
  ExpectResults(name);
}

TEST_F(DaemonCheckpointTest, AStateWhoseBodyIsDamagedIsFoundWhenItIsRead) {
  StartDurable();
  const std::string name = CreateHeld();
  Checkpoint(name);
  std::fstream file(FileOf(name, 1), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end);
  file.put('x');
  file.close();
  ASSERT_TRUE(Resume(name).ok());
  const auto before = scheduler_->last_before();
  ASSERT_EQ(before->midway.size(), kCheckpointed);
  EXPECT_TRUE(before->midway[0].state->Read().ok());
  EXPECT_EQ(before->midway[1].state->Read().status().reason(), Reason::kBlobCorrupt);
}

TEST_F(DaemonCheckpointTest, ACancelEndsIt) {
  StartDurable();
  const std::string name = CreateHeld();
  Checkpoint(name);
  ASSERT_TRUE(CancelJob(*client_, name).ok());
  EXPECT_EQ(WaitForEnd(name).state(), v1::Job::CANCELLED);
  EXPECT_FALSE(Resume(name).ok());
  Restart();
  EXPECT_EQ(GetJob(*client_, name)->state(), v1::Job::CANCELLED);
  EXPECT_FALSE(std::filesystem::exists(state_directory_ + "/states/" + name.substr(5)));
}

TEST_F(DaemonCheckpointTest, WhereTheSchedulerRefusesItItStaysCheckpointed) {
  StartDurable();
  const std::string name = CreateHeld();
  Checkpoint(name);
  scheduler_->RefuseNext(Status(Reason::kNoDeviceFits, "There is no GPU."));
  EXPECT_EQ(Resume(name, v1::GPU).status().reason(), Reason::kNoDeviceFits);
  Await(name, v1::Job::CHECKPOINTED);
  ASSERT_TRUE(Resume(name, v1::CPU).ok());
  ExpectResults(name);
}

// A drain keeps states, and the next daemon goes on with them by itself.
TEST_F(DaemonCheckpointTest, ADrainKeepsStatesUnlessItIsTurnedOff) {
  for (const bool keeps : {true, false}) {
    config_.checkpoint_on_stop = keeps;
    StartDurable();
    const std::string name = Create("spin", 4);
    daemon_->Drain();
    Restart();
    ASSERT_NE(scheduler_->last_before(), nullptr);
    EXPECT_EQ(scheduler_->last_before()->midway.size(), keeps ? 4u : 0u);
    const v1::Job::State state = GetJob(*client_, name)->state();
    EXPECT_TRUE(state == v1::Job::QUEUED || state == v1::Job::RUNNING);
    ASSERT_TRUE(CancelJob(*client_, name).ok());
    WaitForEnd(name);
    client_.reset();
    daemon_.reset();
    scheduler_ = std::make_unique<FakeScheduler>();
  }
}

}  // namespace
}  // namespace wb
