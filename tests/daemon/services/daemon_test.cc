// Jobs over the wire, the end of the daemon, what it tells of itself.

#include "client/services/devices.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "client/services/server.h"
#include "tests/daemon/services/daemon_fixture.h"

#include <vector>

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

TEST_F(DaemonTest, CreateIsIdempotentByRequestId) {
  Start();
  v1::CreateJobRequest request = Request("identity", 5);
  request.set_request_id("once");
  for (int i = 0; i < 40; ++i) (*request.mutable_job()->mutable_labels())[std::to_string(i)] = "x";
  v1::Job first = CreateJob(*client_, request).value();
  EXPECT_EQ(CreateJob(*client_, request).value().name(), first.name());
  request.mutable_job()->set_instances(6);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kRequestIdReused);
  EXPECT_EQ(ListJobs(*client_, {}).value().jobs_size(), 1);
}

TEST_F(DaemonTest, AJobSaysWhatItWaitsForAndBehindWhom) {
  Start();
  const std::string first = Create("spin", 1);
  const std::string second = Create("spin", 1);
  const v1::Job job = GetJob(*client_, second).value();
  ASSERT_EQ(job.waits_size(), 1);
  EXPECT_EQ(job.waits(0).cause(), "TURN");
  ASSERT_EQ(job.waits(0).jobs_size(), 1);
  EXPECT_EQ(job.waits(0).jobs(0), first);
  EXPECT_GT(job.waits(0).until().seconds(), job.create_time().seconds());
  for (const std::string& name : {first, second}) EXPECT_TRUE(CancelJob(*client_, name).ok());
  EXPECT_EQ(WaitForEnd(second).waits_size(), 0);
  EXPECT_EQ(GetJob(*client_, second).value().waits_size(), 0);
}

TEST_F(DaemonTest, ARefusedJobLeavesNothingBehind) {
  Start();
  scheduler_->RefuseNext(Status(Reason::kNoDeviceFits, "Too large."));
  v1::CreateJobRequest request = Request("identity", 5);
  request.set_request_id("again");
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(ListJobs(*client_, {}).value().jobs_size(), 0);
  EXPECT_TRUE(CreateJob(*client_, request).ok());
}

TEST_F(DaemonTest, ValidateOnlyRunsNothing) {
  Start();
  v1::CreateJobRequest request = Request("identity", 5);
  request.set_validate_only(true);
  v1::Job job = CreateJob(*client_, request).value();
  EXPECT_EQ(job.name(), "");
  EXPECT_EQ(job.limits().max_stack(), 32768u);
  EXPECT_EQ(ListJobs(*client_, {}).value().jobs_size(), 0);
}

TEST_F(DaemonTest, BadJobsAreRefusedByReason) {
  Start();
  v1::CreateJobRequest request = Request("nothing", 5);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kEntryPointNotFound);
  request = Request("identity", 5);
  request.mutable_job()->mutable_steps(0)->mutable_call()->clear_args();
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kSignatureMismatch);
  request = Request("identity", 5);
  request.mutable_job()->mutable_columns(0)->mutable_constant()->set_i64(1);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kSignatureMismatch);
  request = Request("identity", 0);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kInvalidArgument);
  request = Request("identity", uint64_t{1} << 63);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kLimitTooHigh);
  request = Request("identity", 5);
  request.mutable_job()->set_module("modules/sha256:" + std::string(64, '0'));
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kModuleMissing);
  request.mutable_job()->set_module("fac.wasm");
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kInvalidArgument);
  request = Request("identity", 5);
  request.set_request_id(std::string(129, 'x'));
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonTest, JobsAreListedInPages) {
  Start();
  for (int i = 0; i < 5; ++i) WaitForEnd(Create("identity", 1));
  v1::ListJobsRequest request;
  request.set_page_size(2);
  request.set_filter("state = SUCCEEDED");
  size_t count = 0;
  do {
    v1::ListJobsResponse page = ListJobs(*client_, request).value();
    count += static_cast<size_t>(page.jobs_size());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(count, 5u);
  request.set_page_size(2);
  request.set_page_token(ListJobs(*client_, request).value().next_page_token());
  request.set_filter("state = FAILED");
  EXPECT_EQ(ListJobs(*client_, request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonTest, CancelEndsAnEndlessJob) {
  Start();
  std::string name = Create("spin", 3);
  EXPECT_EQ(DeleteJob(*client_, name).reason(), Reason::kJobRunning);
  EXPECT_TRUE(CancelJob(*client_, name).ok());
  EXPECT_EQ(WaitForEnd(name).state(), v1::Job::CANCELLED);
  EXPECT_EQ(CancelJob(*client_, name).status().reason(), Reason::kJobTerminal);
  EXPECT_TRUE(DeleteJob(*client_, name).ok());
  EXPECT_EQ(GetJob(*client_, name).status().reason(), Reason::kNotFound);
}

TEST_F(DaemonTest, DrainEndsWhatRunsAndRefusesWhatComes) {
  Start();
  std::string name = Create("spin", 3);
  daemon_->Drain();
  EXPECT_EQ(GetJob(*client_, name).status().code(), Code::kUnavailable);
}

TEST_F(DaemonTest, AdminTellsOfServerDevicesAndCache) {
  Start();
  v1::ServerInfo info = GetServerInfo(*client_).value();
  EXPECT_EQ(info.listen_size(), 2);
  EXPECT_EQ(info.compiler_version(), "fake");
  EXPECT_EQ(ListDevices(*client_).value().devices(0).name(), "devices/fake0");
  ASSERT_EQ(ListDevices(*client_).value().missing_size(), 1);
  EXPECT_EQ(ListDevices(*client_).value().missing(0), "There is no GPU: nobody made one.");
  EXPECT_EQ(ListCache(*client_).value().entries_size(), 1);
  EXPECT_EQ(PruneCache(*client_, true).value().freed_bytes(), 1000u);
  v1::CompileModuleRequest compile;
  compile.set_name(Push());
  EXPECT_EQ(CompileModule(*client_, compile).value().text(), "kernel text");
}
}  // namespace
}  // namespace wb
