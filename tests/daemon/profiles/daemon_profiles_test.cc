// Profiles of jobs through a daemon; its instances run again on an interpreter in this process.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "client/services/profiles.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/daemon/services/caller_fixture.h"
#include "wasmburst/v1/profiles.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

std::shared_ptr<Profiler> ProfilerHere() {
  return std::make_shared<Profiler>(std::make_shared<LoweredModules>(),
                                    [](const std::function<void()>&) -> Result<StartedDevice> {
                                      InterpreterSettings settings;
                                      settings.traces = settings.profiles = true;
                                      return StartedDevice{CreateInterpreterDevice(settings)};
                                    });
}

class DaemonProfilesTest : public CallerTest {
 protected:
  void SetUp() override {
    CallerTest::SetUp();
    profiler_ = ProfilerHere();
  }
  void Restart() {
    client_.reset();
    daemon_.reset();
    scheduler_ = std::make_unique<FakeScheduler>();
    profiler_ = ProfilerHere();
    Start();
  }
  Result<v1::Profile> Profile(const std::string& job, uint32_t instances = 4) {
    v1::GetProfileRequest request;
    request.set_job(job);
    request.set_instances(instances);
    return GetProfile(*client_, request);
  }
  // One local.get in each instance.
  static void ExpectIdentity(const Result<v1::Profile>& profile, int sample) {
    ASSERT_TRUE(profile.ok()) << profile.status().message();
    EXPECT_EQ(profile->sample_size(), sample);
    EXPECT_EQ(profile->fuel(), static_cast<uint64_t>(sample));
    ASSERT_EQ(profile->nodes_size(), 2);
    EXPECT_EQ(profile->frames(0).function_name(), "identity");
    EXPECT_EQ(profile->nodes(1).calls(), static_cast<uint64_t>(sample));
  }
  v1::CreateJobRequest LongRequest() {
    v1::CreateJobRequest request = Request("identity", 80'000);
    v1::ValueList* list = request.mutable_job()->mutable_columns(0)->mutable_list();
    list->set_type(v1::I32);
    for (uint32_t i = 0; i < 80'000; ++i) list->add_bits32(i);
    return request;
  }
};

TEST_F(DaemonProfilesTest, AnEndedJobHasAProfile) {
  Start();
  const std::string job = Create("identity", 10);
  WaitForEnd(job);
  const Result<v1::Profile> profile = Profile(job);
  ExpectIdentity(profile, 4);
  EXPECT_EQ(profile->job(), job);
  EXPECT_EQ(profile->instances(), 10u);
  ExpectIdentity(Profile(job, 0), 10);  // of the sample's default, 16, as many as there are
}

TEST_F(DaemonProfilesTest, AlsoInAnotherDaemon) {
  state_directory_ = folder_ + "/state";
  Start();
  const std::string job = Create("identity", 10);
  WaitForEnd(job);
  Restart();
  ExpectIdentity(Profile(job), 4);
}

TEST_F(DaemonProfilesTest, WhatWasTooLongToBeKeptIsGone) {
  for (const char* state : {"", "/state"}) {
    state_directory_ = *state == 0 ? "" : folder_ + state;
    Start();
    const Result<v1::Job> job = CreateJob(*client_, LongRequest());
    ASSERT_TRUE(job.ok()) << job.status().message();
    WaitForEnd(job->name());
    EXPECT_EQ(Profile(job->name()).status().reason(), Reason::kJobTerminal) << state;
    client_.reset();
    daemon_.reset();
    scheduler_ = std::make_unique<FakeScheduler>();
  }
}

TEST_F(DaemonProfilesTest, WithoutItsModuleAJobHasNone) {
  Start();
  const v1::Job job = CreateJob(*client_, Request("identity", 3)).value();
  WaitForEnd(job.name());
  ASSERT_TRUE(DeleteModule(*client_, job.module()).ok());
  const Status status = Profile(job.name()).status();
  EXPECT_EQ(status.reason(), Reason::kJobTerminal);
  EXPECT_NE(status.message().find("is not there any more"), std::string::npos);
}

TEST_F(DaemonProfilesTest, WhatIsWrongIsSaid) {
  Start();
  const std::string job = Create("identity", 3);
  EXPECT_EQ(Profile(job, 1025).status().reason(), Reason::kLimitTooHigh);
  EXPECT_EQ(Profile("jobs/00000000000000000000000000").status().reason(), Reason::kNotFound);
  v1::CreateJobRequest request = Request("identity", 3);
  request.mutable_job()->mutable_profile()->set_instances(1025);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kLimitTooHigh);
  profiler_ = nullptr;
  client_.reset();
  daemon_.reset();
  Start();
  const std::string other = Create("identity", 3);
  EXPECT_EQ(Profile(other).status().reason(), Reason::kUnavailable);
}

TEST_F(DaemonProfilesTest, AnotherTenantsJobDoesNotExist) {
  Start();
  v1::CreateJobRequest request = Request("identity", 3);
  (*request.mutable_job()->mutable_labels())["tenant"] = "one";
  const std::string job = CreateJob(*client_, request).value().name();
  WaitForEnd(job);
  const auto ask = [&](const std::string& tenant, v1::Role role) {
    v1::GetProfileRequest wish;
    wish.set_job(job);
    v1::Profile answer;
    return v1::Profiles::NewStub(TokenChannel())
        ->GetProfile(Context(NewToken(tenant, role)).get(), wish, &answer)
        .error_code();
  };
  EXPECT_EQ(ask("one", v1::SUBMITTER), grpc::StatusCode::OK);
  EXPECT_EQ(ask("one", v1::VIEWER), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(ask("two", v1::SUBMITTER), grpc::StatusCode::NOT_FOUND);
}

TEST_F(DaemonProfilesTest, AJobThatAsksForOneHasItsOwn) {
  state_directory_ = folder_ + "/state";
  Start();
  v1::CreateJobRequest request = Request("identity", 50);
  request.mutable_job()->mutable_profile()->set_instances(3);
  const v1::Job job = CreateJob(*client_, request).value();
  EXPECT_EQ(job.profile().instances(), 3u);
  WaitForEnd(job.name());
  // It is made soon; until then who asks gets another sample.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (Profile(job.name(), 0)->sample_size() > 3 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_GE(Profile(job.name(), 0)->sample_size(), 1);
  ASSERT_LE(Profile(job.name(), 0)->sample_size(), 3);
  Restart();
  profiler_->Stop();  // nothing runs again
  EXPECT_TRUE(Profile(job.name(), 0).ok());
  EXPECT_EQ(GetJob(*client_, job.name())->profile().instances(), 3u);
  ASSERT_TRUE(DeleteJob(*client_, job.name()).ok());
  EXPECT_EQ(Profile(job.name(), 0).status().reason(), Reason::kNotFound);
}

}  // namespace
}  // namespace wb
