// Dumps and replays over the wire; instances run in this process.

#include <gtest/gtest.h>

#include "client/services/inspection.h"
#include "client/services/jobs.h"
#include "compiler/coredump/core_dump.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/trace/inspector.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class DaemonInspectionTest : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    inspector_ = &here_;
  }
  // Of a job whose instances trap, by what the fake scheduler says.
  std::string Trapped(uint32_t dumps) {
    v1::CreateJobRequest request = Request("trap", 3);
    request.mutable_job()->set_dump_on_trap(dumps);
    const Result<v1::Job> job = CreateJob(*client_, request);
    EXPECT_TRUE(job.ok()) << job.status().message();
    WaitForEnd(job->name());
    return job->name();
  }

  Inspector here_{
      std::make_shared<LoweredModules>(),
      [](const std::function<void()>&) -> Result<StartedInspection> {
        const std::shared_ptr<Device> device = CreateInspectingInterpreter({});
        return StartedInspection{device, std::dynamic_pointer_cast<InspectingDevice>(device), {}};
      }};
};

TEST_F(DaemonInspectionTest, ADumpIsACoreFile) {
  Start();
  const Result<InstanceDump> dump = DumpInstance(*client_, Trapped(1), 2);
  ASSERT_TRUE(dump.ok()) << dump.status().message();
  const Result<CoreDump> core = ReadCore(AsBytes(dump->core));
  ASSERT_TRUE(core.ok()) << core.status().message();
  EXPECT_EQ(core->thread, "instance 2");
  EXPECT_EQ(core->frames.size(), 1u);
  EXPECT_EQ(core->memories, std::vector<uint32_t>{1});
  EXPECT_NE(core->facts.find("UNREACHABLE"), std::string::npos);
}

TEST_F(DaemonInspectionTest, AReplayTellsCallsAndItsEnd) {
  Start();
  const std::string job = Trapped(1);
  v1::ReplayInstanceRequest request;
  request.set_job(job);
  request.set_trace(v1::TRACE_CALLS);
  v1::ReplayEnd end;
  int lines = 0;
  const Status replayed = ReplayInstance(*client_, request, [&](const v1::ReplayEvent& event) {
    lines += event.lines_size();
    if (event.has_end()) end = event.end();
    return true;
  });
  ASSERT_TRUE(replayed.ok()) << replayed.message();
  EXPECT_EQ(lines, 1);
  EXPECT_EQ(end.result().trap().code(), "UNREACHABLE");
  EXPECT_TRUE(end.has_stored());
}

TEST_F(DaemonInspectionTest, WhatAJobWasGivenIsKeptFromItsFirstTrapOn) {
  Start();
  EXPECT_TRUE(DumpInstance(*client_, Trapped(0), 0).ok());
  const std::string fine = Create("identity", 2);
  WaitForEnd(fine);
  Status gone;
  do {  // the end of a job is heard of a moment later
    gone = DumpInstance(*client_, fine, 0).status();
  } while (gone.ok());
  EXPECT_EQ(gone.reason(), Reason::kNotFound);
  EXPECT_NE(gone.message().find("dump_on_trap"), std::string::npos);
}

TEST_F(DaemonInspectionTest, MoreThanSixtyFourDumpsAreRefused) {
  Start();
  v1::CreateJobRequest request = Request("trap", 3);
  request.mutable_job()->set_dump_on_trap(65);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonInspectionTest, AnInstanceThatIsNotThereIsRefused) {
  Start();
  EXPECT_EQ(DumpInstance(*client_, Trapped(1), 3).status().reason(), Reason::kInvalidArgument);
  EXPECT_EQ(DumpInstance(*client_, "jobs/01M87QBAA08AQ02B1D3R8HPACR", 0).status().reason(),
            Reason::kNotFound);
}

TEST_F(DaemonInspectionTest, ADaemonThatKeepsNothingSaysSo) {
  config_.max_dumps_bytes = 0;
  Start();
  v1::CreateJobRequest request = Request("trap", 3);
  EXPECT_TRUE(CreateJob(*client_, request).ok());
  request.mutable_job()->set_dump_on_trap(1);
  const Status refused = CreateJob(*client_, request).status();
  EXPECT_EQ(refused.reason(), Reason::kLimitTooHigh);
  EXPECT_NE(refused.message().find("inspection.max_total_bytes"), std::string::npos);
  EXPECT_EQ(DumpInstance(*client_, Create("trap", 1), 0).status().reason(), Reason::kConfigInvalid);
}

}  // namespace
}  // namespace wb
