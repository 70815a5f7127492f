// What the machine fails to do is tried again, and is never held against a module or a device.

#include <atomic>
#include <cerrno>
#include <string>

#include "scheduler/base/system_error.h"
#include "scheduler/engine_host/shared_memory.h"
#include "scheduler/job/waits.h"
#include "tests/scheduler/base/few_descriptors.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

class MachineFaultsTest : public SchedulerTest {
 protected:
  JobSpec Pinned(uint64_t instances) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.placement = Placement::kCpu;
    return spec;
  }
  // Builds fail as a killed compiler's do while there are faults left.
  void FailBuilds() {
    cpu_.on_build = [this](const KernelSource&) -> Result<Bytes> {
      if (faults_ == 0) return Bytes{1};
      --faults_;
      return Status(Reason::kMachineFault, "The compiler was ended by signal [9].");
    };
  }
  // Likewise memory for instances.
  void FailAllocations() {
    cpu_.on_allocate = [this](const DispatchShape&) {
      if (faults_ == 0) return Status();
      --faults_;
      return Status(Reason::kMachineFault, "Too many open files.");
    };
  }

  std::atomic<uint32_t> faults_{0};
};

TEST_F(MachineFaultsTest, AKilledCompilerIsTriedAgainAndTheJobSaysSo) {
  faults_ = 3;
  FailBuilds();
  Start();
  const SinkRef sink = Submit(Pinned(5));
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.waiting_for.find(
               "tried again after [1] faults of the machine: The compiler "
               "was ended by signal [9].") != std::string::npos;
  });
  const auto waits = scheduler_->Waits(1);
  ASSERT_FALSE(waits.empty());
  EXPECT_EQ(waits[0].cause, WaitCause::kCompiler);
  EXPECT_NE(waits[0].words.find("signal [9]"), std::string::npos);
  EXPECT_EQ(cpu_.builds(), 1u);
  const Pusher pusher(clock_);
  ExpectNumbers(*sink, 5);
  EXPECT_EQ(cpu_.builds(), 4u);
}

TEST_F(MachineFaultsTest, AFaultThatStaysEndsTheJobAndIsNotRemembered) {
  faults_ = 1000;
  FailBuilds();
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = Submit(Pinned(5));
  sink->AwaitEnd();
  EXPECT_EQ(sink->status().reason(), Reason::kMachineFault);
  EXPECT_NE(sink->status().message().find("signal [9]. It was tried [10] times."),
            std::string::npos);
  EXPECT_EQ(cpu_.builds(), 10u);
  faults_ = 0;
  ExpectNumbers(*Submit(Pinned(5)), 5);
  EXPECT_EQ(cpu_.builds(), 11u);
}

TEST_F(MachineFaultsTest, AJobThatMayRunAnywhereGoesToTheInterpreter) {
  faults_ = 1000;
  FailBuilds();
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(5);
  ExpectNumbers(*sink, 5);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
}

TEST_F(MachineFaultsTest, WithoutDescriptorsAJobWaitsAndGoesOnAndTheDeviceStays) {
  faults_ = 2;
  FailAllocations();
  Start();
  const SinkRef sink = Submit(Pinned(5));
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.waiting_for.find("Too many open files.") != std::string::npos;
  });
  std::vector<WaitReason> waits;
  while (waits.empty() || waits[0].cause != WaitCause::kMachine) waits = scheduler_->Waits(1);
  EXPECT_EQ(waits[0].words,
            "what the machine lacks for it on the device [cpu0], which is tried again: Too many "
            "open files.");
  const Pusher pusher(clock_);
  ExpectNumbers(*sink, 5);
  EXPECT_EQ(cpu_.starts(), 1u);
  EXPECT_TRUE(scheduler_->Waits(1).empty());
}

TEST_F(MachineFaultsTest, WhereDescriptorsStayAwayTheJobEndsWithThat) {
  faults_ = 1000;
  FailAllocations();
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = Submit(Pinned(5));
  sink->AwaitEnd();
  EXPECT_EQ(sink->status().reason(), Reason::kMachineFault);
  EXPECT_EQ(cpu_.starts(), 1u);
  EXPECT_EQ(faults_, 990u);
}

TEST_F(MachineFaultsTest, APipelineThatCannotBeOpenedNowIsNotBuiltAnew) {
  faults_ = 2;
  cpu_.on_load = [this](ByteView) {
    if (faults_ == 0) return Status();
    --faults_;
    return Status(Reason::kMachineFault, "Too many open files.");
  };
  Start();
  const Pusher pusher(clock_);
  ExpectNumbers(*Submit(Pinned(5)), 5);
  EXPECT_EQ(cpu_.builds(), 1u);
}

TEST(SharedMemory, WithoutADescriptorItIsTheMachinesFault) {
  Status status;
  {
    const FewDescriptors few;
    status = MakeSharedMemory(4096).status();
  }
  EXPECT_EQ(status.reason(), Reason::kMachineFault);
  EXPECT_NE(status.message().find("Too many open files"), std::string::npos) << status.message();
  EXPECT_TRUE(MakeSharedMemory(4096).ok());
  EXPECT_EQ(MapShared(-1, 4096).status().reason(), Reason::kMachineFault);
}

TEST(SystemErrors, TellWhatPassesFromWhatStays) {
  EXPECT_EQ(SystemError("It failed", ENOSPC).reason(), Reason::kMachineFault);
  EXPECT_EQ(SystemError("It failed", EACCES).reason(), Reason::kIoError);
  EXPECT_EQ(SystemError("It failed", EACCES).message(), "It failed: Permission denied.");
  EXPECT_TRUE(IsOfMachine(Reason::kMachineFault));
  EXPECT_TRUE(IsOfMachine(Reason::kIoError));
  EXPECT_FALSE(IsOfMachine(Reason::kCompileFailed));
  EXPECT_FALSE(IsOfMachine(Reason::kCompileTimeout));
  EXPECT_TRUE(HasDescriptors());
  const FewDescriptors few;
  EXPECT_FALSE(HasDescriptors());
}

}  // namespace
}  // namespace wb::test
