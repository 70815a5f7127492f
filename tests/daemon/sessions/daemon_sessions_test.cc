// Sessions through a daemon over the fake scheduler: who may do what, bounds, and what is said.

#include <gtest/gtest.h>

#include <string>

#include "client/services/jobs.h"
#include "client/services/sessions.h"
#include "scheduler/base/lowered_modules.h"
#include "tests/daemon/services/caller_fixture.h"
#include "wasmburst/v1/session.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class DaemonSessionsTest : public CallerTest {
 protected:
  void SetUp() override {
    CallerTest::SetUp();
    session_modules_ =
        [modules = std::make_shared<LoweredModules>()](std::shared_ptr<const Module> module) {
          return modules->Get(std::move(module));
        };
  }
  v1::Session Asked(uint64_t instances = 3) {
    v1::Session session;
    session.set_module(Push());
    session.set_instances(instances);
    return session;
  }
  std::string Open(uint64_t instances = 3) {
    const Result<v1::Session> session = OpenSession(*client_, Asked(instances));
    EXPECT_TRUE(session.ok()) << session.status().message();
    return session.ok() ? session->name() : "";
  }
  static v1::CallSessionRequest CallOf(const std::string& session, const std::string& function) {
    v1::CallSessionRequest request;
    request.set_name(session);
    request.add_steps()->mutable_call()->set_function(function);
    if (function == "identity") request.mutable_steps(0)->mutable_call()->add_args()->set_column(0);
    if (function == "identity") {
      auto* range = request.add_columns()->mutable_range();
      range->mutable_start()->set_i32(0);
      range->mutable_step()->set_i32(1);
    }
    return request;
  }
  Result<Bytes> ReadOf(const std::string& session, uint64_t instance, uint64_t address,
                       uint64_t bytes, uint32_t memory = 0) {
    v1::ReadMemoryRequest request;
    request.set_name(session);
    request.set_instance(instance);
    request.set_memory(memory);
    request.set_address(address);
    request.set_bytes(bytes);
    return ReadMemory(*client_, request);
  }
  static v1::WriteMemoryRequest WriteOf(const std::string& session, uint64_t instance,
                                        uint64_t address, const std::string& data) {
    v1::WriteMemoryRequest request;
    request.set_name(session);
    request.set_instance(instance);
    request.set_address(address);
    request.set_data(data);
    return request;
  }
  static void ExpectSays(const Status& status, Reason reason, const std::string& words) {
    EXPECT_EQ(status.reason(), reason) << status.message();
    EXPECT_NE(status.message().find(words), std::string::npos) << status.message();
  }
};

TEST_F(DaemonSessionsTest, AreOpenedCalledListedAndClosed) {
  Start();
  const std::string name = Open();
  const Result<v1::Job> job = CallSession(*client_, CallOf(name, "identity"));
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->session(), name);
  EXPECT_EQ(job->instances(), 3u);
  EXPECT_EQ(WaitForEnd(job->name()).counts().returned(), 3u);
  v1::Session session = GetSession(*client_, name).value();
  EXPECT_EQ(session.calls(), 1u);
  EXPECT_EQ(session.job(), job->name());
  EXPECT_FALSE(session.running());
  EXPECT_EQ(session.idle().seconds(), 600);
  EXPECT_GT(session.limits().max_fuel(), 0u);
  EXPECT_EQ(ListSessions(*client_, {})->sessions_size(), 1);
  ASSERT_TRUE(CloseSession(*client_, name).ok());
  EXPECT_EQ(ListSessions(*client_, {})->sessions_size(), 0);
  ExpectSays(CallSession(*client_, CallOf(name, "identity")).status(), Reason::kNotFound,
             "closed by a caller");
  EXPECT_EQ(GetJob(*client_, job->name())->session(), name);
}

TEST_F(DaemonSessionsTest, CallsComeOneAfterTheOther) {
  Start();
  const std::string name = Open();
  const v1::Job job = CallSession(*client_, CallOf(name, "spin")).value();
  ExpectSays(CallSession(*client_, CallOf(name, "spin")).status(), Reason::kJobRunning, job.name());
  ExpectSays(WriteMemory(*client_, WriteOf(name, 0, 0, "x")), Reason::kJobRunning, job.name());
  ExpectSays(ReadOf(name, 0, 0, 1).status(), Reason::kJobRunning, job.name());
  EXPECT_TRUE(GetSession(*client_, name)->running());
  ASSERT_TRUE(CancelJob(*client_, job.name()).ok());
  const Result<v1::Job> next = CallSession(*client_, CallOf(name, "identity"), true);
  ASSERT_TRUE(next.ok()) << next.status().message();
  EXPECT_NE(next->name(), job.name());
}

TEST_F(DaemonSessionsTest, ARepeatedCallIsTheSameJob) {
  Start();
  const std::string name = Open();
  v1::CallSessionRequest request = CallOf(name, "spin");
  request.set_request_id("again");
  const v1::Job job = CallSession(*client_, request).value();
  EXPECT_EQ(CallSession(*client_, request)->name(), job.name());
  EXPECT_EQ(GetSession(*client_, name)->calls(), 1u);
}

TEST_F(DaemonSessionsTest, ClosingCancelsTheCall) {
  Start();
  const std::string name = Open();
  const v1::Job job = CallSession(*client_, CallOf(name, "spin")).value();
  ASSERT_TRUE(CloseSession(*client_, name).ok());
  EXPECT_EQ(WaitForEnd(job.name()).state(), v1::Job::CANCELLED);
}

TEST_F(DaemonSessionsTest, ACallLeavesNoCheckpoint) {
  Start();
  const v1::Job job = CallSession(*client_, CallOf(Open(), "spin")).value();
  ExpectSays(CheckpointJob(*client_, job.name()).status(), Reason::kInvalidArgument, "session");
  EXPECT_LE(GetJob(*client_, job.name())->state(), v1::Job::RUNNING);
}

TEST_F(DaemonSessionsTest, MemoryIsReadAndWritten) {
  Start();
  const std::string name = Open();
  EXPECT_EQ(ReadOf(name, 1, 0, 4).value(), Bytes(4));
  ASSERT_TRUE(WriteMemory(*client_, WriteOf(name, 1, 10, "one")).ok());
  v1::WriteMemoryRequest all = WriteOf(name, 0, 65533, "all");
  all.set_all(true);
  ASSERT_TRUE(WriteMemory(*client_, all).ok());
  EXPECT_EQ(AsText(ReadOf(name, 1, 10, 3).value()), "one");
  EXPECT_EQ(ReadOf(name, 2, 10, 3).value(), Bytes(3));
  EXPECT_EQ(AsText(ReadOf(name, 2, 65533, 3).value()), "all");
  EXPECT_EQ(ReadOf(name, 0, 0, 65536).value().size(), 65536u);
  EXPECT_GT(GetSession(*client_, name)->bytes(), 0u);
  ExpectSays(ReadOf(name, 0, 65533, 4).status(), Reason::kInvalidArgument, "[65536]");
  ExpectSays(WriteMemory(*client_, WriteOf(name, 0, 65536, "x")), Reason::kInvalidArgument,
             "[65536]");
  ExpectSays(ReadOf(name, 3, 0, 1).status(), Reason::kInvalidArgument, "[3]");
  ExpectSays(ReadOf(name, 0, 0, 1, 1).status(), Reason::kInvalidArgument, "[1]");
}

TEST_F(DaemonSessionsTest, StatesAreBounded) {
  config_.max_session_bytes = 70'000;
  Start();
  const std::string name = Open(100);
  v1::WriteMemoryRequest all = WriteOf(name, 0, 0, "x");
  all.set_all(true);
  ExpectSays(WriteMemory(*client_, all), Reason::kLimitTooHigh, "[70000]");
  EXPECT_EQ(GetSession(*client_, name)->bytes(), 0u);  // all or none
  EXPECT_EQ(ReadOf(name, 0, 0, 1).value(), Bytes(1));
  EXPECT_TRUE(WriteMemory(*client_, WriteOf(name, 0, 0, "x")).ok());
}

TEST_F(DaemonSessionsTest, WhatCannotBeOneIsRefused) {
  config_.max_sessions = 1;
  config_.max_session_instances = 10;
  Start();
  ExpectSays(OpenSession(*client_, Asked(11)).status(), Reason::kLimitTooHigh, "[10]");
  ExpectSays(OpenSession(*client_, Asked(0)).status(), Reason::kInvalidArgument, "instances");
  v1::Session asked = Asked();
  asked.mutable_idle()->set_seconds(1 + config_.max_session_idle / 1'000'000'000);
  ExpectSays(OpenSession(*client_, asked).status(), Reason::kLimitTooHigh, "[86400]");
  asked = Asked();
  asked.set_module("modules/sha256:" + std::string(64, '0'));
  EXPECT_EQ(OpenSession(*client_, asked).status().reason(), Reason::kModuleMissing);
  const std::string name = Open();
  ExpectSays(OpenSession(*client_, Asked()).status(), Reason::kQueueFull, "[1]");
  v1::CallSessionRequest call = CallOf(name, "identity");
  call.mutable_limits()->set_max_memory_bytes(1 << 20);
  ExpectSays(CallSession(*client_, call).status(), Reason::kInvalidArgument, "max_memory_bytes");
  EXPECT_EQ(CallSession(*client_, CallOf(name, "nothing")).status().reason(),
            Reason::kEntryPointNotFound);
  EXPECT_TRUE(CallSession(*client_, CallOf(name, "identity")).ok());
  EXPECT_EQ(GetSession(*client_, "sessions/x").status().reason(), Reason::kInvalidArgument);
}

// A job says itself whose call it is: nobody else does.
TEST_F(DaemonSessionsTest, AJobCannotSayThatItIsACall) {
  Start();
  v1::CreateJobRequest request = Request("identity", 3);
  request.mutable_job()->set_session("sessions/00000000000000000000000000");
  EXPECT_EQ(CreateJob(*client_, request)->session(), "");
}

TEST_F(DaemonSessionsTest, AnotherTenantsSessionDoesNotExist) {
  Start();
  v1::Session asked = Asked();
  (*asked.mutable_labels())["tenant"] = "one";
  const std::string name = OpenSession(*client_, asked).value().name();
  const auto get = [&](const std::string& tenant, v1::Role role) {
    v1::GetSessionRequest request;
    request.set_name(name);
    v1::Session answer;
    return v1::Sessions::NewStub(TokenChannel())
        ->GetSession(Context(NewToken(tenant, role)).get(), request, &answer)
        .error_code();
  };
  const auto close = [&](const std::string& tenant, v1::Role role) {
    v1::CloseSessionRequest request;
    request.set_name(name);
    google::protobuf::Empty answer;
    return v1::Sessions::NewStub(TokenChannel())
        ->CloseSession(Context(NewToken(tenant, role)).get(), request, &answer)
        .error_code();
  };
  EXPECT_EQ(get("one", v1::VIEWER), grpc::StatusCode::OK);
  EXPECT_EQ(get("two", v1::SUBMITTER), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(get("two", v1::OPERATOR), grpc::StatusCode::OK);
  EXPECT_EQ(close("one", v1::VIEWER), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(close("two", v1::SUBMITTER), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(close("two", v1::OPERATOR), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(close("one", v1::SUBMITTER), grpc::StatusCode::OK);
}

// Its jobs outlive the daemon, and it does not: what was under way runs no more, and says why.
TEST_F(DaemonSessionsTest, TheNextDaemonKnowsNone) {
  state_directory_ = folder_ + "/state";
  Start();
  const std::string name = Open();
  const v1::Job ended = CallSession(*client_, CallOf(name, "identity")).value();
  WaitForEnd(ended.name());
  const v1::Job job = CallSession(*client_, CallOf(name, "spin")).value();
  client_.reset();
  daemon_.reset();
  scheduler_ = std::make_unique<FakeScheduler>();
  Start();
  ExpectSays(GetSession(*client_, name).status(), Reason::kNotFound, "started again");
  const v1::Job after = GetJob(*client_, job.name()).value();
  EXPECT_EQ(after.state(), v1::Job::FAILED);
  EXPECT_NE(after.error().message().find(name), std::string::npos) << after.error().message();
  EXPECT_EQ(GetJob(*client_, ended.name())->state(), v1::Job::SUCCEEDED);
  EXPECT_EQ(GetJob(*client_, ended.name())->session(), name);
}

}  // namespace
}  // namespace wb
