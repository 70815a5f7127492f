// A check of a daemon whose scheduler is a fake: what fails, what goes on, and what is left.

#include "client/cli/perf/perf_check.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/daemon/services/daemon_fixture.h"

namespace wb::cli {
namespace {

class PerfCheckTest : public DaemonTest {
 protected:
  Result<std::vector<Measurement>> CheckBriefly() {
    PerfCheck check(client_.get(), NewClient(0), std::chrono::milliseconds(1),
                    [this](const std::string& what) { told_.push_back(what); });
    return check.Run();
  }
  void ExpectNothingLeft() {
    EXPECT_EQ(ListJobs(*NewClient(0), {})->jobs_size(), 0);
    EXPECT_EQ(ListModules(*NewClient(0), {})->modules_size(), 0);
  }

  std::vector<std::string> told_;
};

TEST_F(PerfCheckTest, EachFigureHasARunHoweverShortTheTime) {
  Start();
  const auto measurements = CheckBriefly();
  ASSERT_TRUE(measurements.ok()) << measurements.status().message();
  EXPECT_GE(measurements->size(), 5u);
  for (const Measurement& measurement : *measurements) {
    EXPECT_FALSE(HasFailed(measurement)) << measurement.what << measurement.failure.message();
  }
  EXPECT_EQ(told_.front(), "round trip of a call");
  ExpectNothingLeft();
}

TEST_F(PerfCheckTest, WhatFailsIsNamedAndTheOthersGoOn) {
  Start();
  scheduler_->RefuseNext(Status(Reason::kQueueFull, "It is full."));
  const auto measurements = CheckBriefly();
  ASSERT_TRUE(measurements.ok()) << measurements.status().message();
  for (const Measurement& measurement : *measurements) {
    EXPECT_EQ(HasFailed(measurement), measurement.name == "jobs_accepted") << measurement.what;
    if (HasFailed(measurement)) {
      EXPECT_EQ(measurement.failure.reason(), Reason::kQueueFull);
    }
  }
  ExpectNothingLeft();
}

TEST_F(PerfCheckTest, AnInterruptEndsItAndLeavesNothing) {
  Start();
  scheduler_->Hold();  // the first job that is waited for never ends
  std::thread interrupt([this] {
    const auto other = NewClient(0);
    while (ListJobs(*other, {})->jobs_size() == 0) std::this_thread::yield();
    client_->Interrupt();
    scheduler_->Release();  // cancelled jobs end only then
  });
  EXPECT_EQ(CheckBriefly().status().code(), Code::kCancelled);
  interrupt.join();
  ExpectNothingLeft();
}

}  // namespace
}  // namespace wb::cli
