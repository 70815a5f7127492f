// What a daemon finds that another one has left.

#include <gtest/gtest.h>

#include "client/services/inputs.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "tests/daemon/services/daemon_fixture.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class DaemonRestartTest : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    state_directory_ = folder_ + "/state";
  }
  void Restart() {
    client_.reset();
    daemon_.reset();
    scheduler_ = std::make_unique<FakeScheduler>();
    Start();
  }
  struct Read {
    std::map<uint64_t, v1::InstanceResult> results;
    uint64_t count = 0;
    v1::Job job;
  };
  Read Results(const std::string& name, bool follow) {
    v1::ReadResultsRequest request;
    request.set_name(name);
    request.set_follow(follow);
    Read read;
    const Status status =
        ReadResults(*client_, request, [&](const v1::ReadResultsResponse& response) {
          for (const v1::InstanceResult& result : response.results()) {
            read.results[result.instance()] = result;
            ++read.count;
          }
          if (response.has_job()) read.job = response.job();
          return true;
        });
    EXPECT_TRUE(status.ok()) << status.message();
    return read;
  }
};

TEST_F(DaemonRestartTest, AnEndedJobAndItsResultsAreThere) {
  Start();
  v1::CreateJobRequest request = Request("identity", 1000);
  (*request.mutable_job()->mutable_labels())["tenant"] = "small";
  request.set_request_id("once");
  const v1::Job job = CreateJob(*client_, request).value();
  const Read before = Results(job.name(), true);
  ASSERT_EQ(before.count, 1000u);
  v1::Job shown = GetJob(*client_, job.name()).value();
  Restart();
  const v1::Job again = GetJob(*client_, job.name()).value();
  EXPECT_EQ(again.ShortDebugString(), shown.ShortDebugString());
  const Read after = Results(job.name(), true);
  ASSERT_EQ(after.count, 1000u);
  for (const auto& [instance, result] : before.results) {
    EXPECT_EQ(after.results.at(instance).SerializeAsString(), result.SerializeAsString());
  }
  // The same request is the same job, as before.
  EXPECT_EQ(CreateJob(*client_, request)->name(), job.name());
  // Its module is there too.
  EXPECT_TRUE(CreateJob(*client_, Request("identity", 3)).ok());
}

TEST_F(DaemonRestartTest, AnUnfinishedJobGoesOn) {
  Start();
  scheduler_->Hold();
  const std::string name = Create("identity", 500);
  Restart();
  const Read read = Results(name, true);
  ASSERT_EQ(read.count, 500u);
  EXPECT_EQ(read.job.state(), v1::Job::SUCCEEDED);
  for (const auto& [instance, result] : read.results) {
    EXPECT_EQ(result.steps(0).values(0).i32(), static_cast<int32_t>(instance));
    EXPECT_EQ(result.attempt(), 2u);
  }
}

TEST_F(DaemonRestartTest, OnlyUnfinishedInstancesRunAgain) {
  config_.max_job_results_bytes = 65536;
  Start();
  // Its room ends long before the job does, and nobody reads.
  v1::CreateJobRequest request = Request("identity", 20'000);
  const std::string name = CreateJob(*client_, request)->name();
  uint64_t finished = 0;
  for (int i = 0; i < 200 && finished == 0; ++i) {
    finished = GetJob(*client_, name)->counts().finished();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_GT(finished, 0u);
  ASSERT_LT(finished, 20'000u);
  config_.max_job_results_bytes = uint64_t{1} << 30;
  Restart();
  const Read all = Results(name, true);
  EXPECT_EQ(all.count, 20'000u);
  EXPECT_EQ(all.results.size(), 20'000u);
  ASSERT_EQ(all.results.size(), 20'000u);
  uint64_t from_before = 0;
  for (const auto& [instance, result] : all.results) from_before += result.attempt() == 1 ? 1 : 0;
  EXPECT_GE(from_before, finished);
  EXPECT_LT(from_before, 20'000u);
  EXPECT_EQ(all.results.rbegin()->second.attempt(), 2u);
  EXPECT_EQ(all.job.counts().finished(), 20'000u);
}

TEST_F(DaemonRestartTest, ADrainLetsJobsGoOn) {
  Start();
  const std::string name = Create("spin", 4);
  daemon_->Drain();
  Restart();
  const v1::Job job = GetJob(*client_, name).value();
  EXPECT_TRUE(job.state() == v1::Job::QUEUED || job.state() == v1::Job::RUNNING)
      << job.ShortDebugString();
  ASSERT_TRUE(CancelJob(*client_, name).ok());
  EXPECT_EQ(WaitForEnd(name).state(), v1::Job::CANCELLED);
  Restart();
  EXPECT_EQ(GetJob(*client_, name)->state(), v1::Job::CANCELLED);
}

TEST_F(DaemonRestartTest, AJobWhoseModuleIsGoneHasFailed) {
  Start();
  scheduler_->Hold();
  const std::string name = Create("identity", 5);
  client_.reset();
  daemon_.reset();
  std::filesystem::remove_all(state_directory_ + "/modules");
  Restart();
  const v1::Job job = WaitForEnd(name);
  EXPECT_EQ(job.state(), v1::Job::FAILED);
  EXPECT_NE(job.error().message().find("has not been uploaded"), std::string::npos)
      << job.error().message();
}

// A job that had not ended when its daemon did, and one of the next daemon, use the same upload.
TEST_F(DaemonRestartTest, UploadedInputsAreThere) {
  Start();
  scheduler_->Hold();
  v1::Column column;
  column.mutable_list()->set_type(v1::I32);
  for (uint32_t i = 0; i < 100; ++i) column.mutable_list()->add_bits32(1000 + i);
  const std::string input = UploadInput(*client_, *SourceOf(column))->name();
  v1::CreateJobRequest request = Request("identity", 100);
  request.mutable_job()->mutable_columns(0)->mutable_uploaded()->set_input(input);
  const std::string name = CreateJob(*client_, request)->name();
  // It is deleted, and stays for the job.
  ASSERT_TRUE(DeleteInput(*client_, input).ok());
  Restart();
  const std::string next = CreateJob(*client_, request)->name();
  for (const std::string& job : {name, next}) {
    const Read read = Results(job, true);
    ASSERT_EQ(read.count, 100u);
    for (const auto& [instance, result] : read.results) {
      EXPECT_EQ(result.steps(0).values(0).i32(), static_cast<int>(1000 + instance));
    }
  }
  ASSERT_TRUE(DeleteInput(*client_, input).ok());
  EXPECT_EQ(DeleteInput(*client_, input).reason(), Reason::kNotFound);
  Restart();
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kNotFound);
}

// The daemon ended before the job did; nothing of it is needed any more.
TEST_F(DaemonRestartTest, ACancelledJobEndsWithoutItsModule) {
  Start();
  scheduler_->Hold();
  const std::string name = Create("identity", 5);
  ASSERT_TRUE(CancelJob(*client_, name).ok());
  client_.reset();
  daemon_.reset();
  std::filesystem::remove_all(state_directory_ + "/modules");
  Restart();
  EXPECT_EQ(WaitForEnd(name).state(), v1::Job::CANCELLED);
}

TEST_F(DaemonRestartTest, DeletedJobsAndModulesStayAway) {
  Start();
  const std::string name = Create("identity", 5);
  WaitForEnd(name);
  const std::string module = GetJob(*client_, name)->module();
  ASSERT_TRUE(DeleteJob(*client_, name).ok());
  ASSERT_TRUE(DeleteModule(*client_, module).ok());
  Restart();
  EXPECT_EQ(GetJob(*client_, name).status().reason(), Reason::kNotFound);
  EXPECT_EQ(GetModule(*client_, module).status().reason(), Reason::kNotFound);
}

TEST_F(DaemonRestartTest, NothingIsKeptWhereThatIsAsked) {
  config_.durable = false;
  Start();
  const std::string name = Create("identity", 5);
  WaitForEnd(name);
  Restart();
  EXPECT_EQ(GetJob(*client_, name).status().reason(), Reason::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(state_directory_ + "/state.db"));
}

TEST_F(DaemonRestartTest, TwoDaemonsDoNotShareState) {
  Start();
  Config other = config_;
  other.listen.resize(1);
  other.listen[0].address.path = folder_ + "/other";
  DaemonParts parts;
  FakeScheduler scheduler;
  parts.scheduler = &scheduler;
  parts.state_directory = state_directory_;
  const auto second = Daemon::Start(other, parts);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.status().message().find("Another daemon"), std::string::npos);
}

}  // namespace
}  // namespace wb
