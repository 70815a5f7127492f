// Small jobs of one module share launches: which with which, for how long, and which pays.

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "tests/scheduler/run/shared_batch_fixture.h"

namespace wb::test {
namespace {

TEST_F(SharedBatchTest, JobsOfOneInstanceShareALaunch) {
  Start();
  const auto sinks = SubmitSmall(60, 1);
  for (uint32_t job = 0; job < 60; ++job) ExpectJob(*sinks[job], job, 1);
  EXPECT_EQ(cpu_.launches().size(), 2u) << "the first was alone when its launch began";
  EXPECT_EQ(cpu_.launches()[1].taken, 59u);
  EXPECT_EQ(sinks[1]->usage().bursts, 1u);
  EXPECT_EQ(sinks[1]->usage().fuel, 7u);
}

TEST_F(SharedBatchTest, EachHasLaunchesOfItsOwnWhereTheDeviceDoesNotShare) {
  settings_.cpu.shares_launches = false;
  Start();
  const auto sinks = SubmitSmall(60, 1);
  for (uint32_t job = 0; job < 60; ++job) ExpectJob(*sinks[job], job, 1);
  EXPECT_EQ(cpu_.launches().size(), 60u);
}

TEST_F(SharedBatchTest, ManyJobsOfAFewInstancesFillEveryLaunch) {
  Start();
  const auto sinks = SubmitSmall(100, 5);
  for (uint32_t job = 0; job < 100; ++job) ExpectJob(*sinks[job], job, 5);
  EXPECT_LE(cpu_.launches().size(), 500u / 64 + 3);
}

TEST_F(SharedBatchTest, TheLaunchIsPaidByTheSeatsInIt) {
  cpu_.busy = std::chrono::milliseconds(30);
  Start();
  const auto sinks = SubmitTogether({Small(0, 1), Small(1, 1), Small(2, 2), Small(3, 3)});
  for (uint32_t job = 0; job < 4; ++job) ExpectJob(*sinks[job], job, std::max(job, 1u));
  ASSERT_EQ(cpu_.launches().size(), 2u);
  EXPECT_EQ(sinks[1]->usage().device_time, std::chrono::milliseconds(5));
  EXPECT_EQ(sinks[2]->usage().device_time, std::chrono::milliseconds(10));
  EXPECT_EQ(sinks[3]->usage().device_time, std::chrono::milliseconds(15));
  EXPECT_EQ(TimeOf(sinks), scheduler_->Devices()[0].busy);
}

TEST_F(SharedBatchTest, WhatDiffersInADispatchKeepsJobsApart) {
  Start();
  std::vector<JobSpec> specs;
  for (uint32_t job = 0; job < 6; ++job) specs.push_back(Small(job, 1));
  specs[1].limits.max_fuel = 1000;
  specs[2].limits.max_memory_bytes = 1 << 20;
  specs[3].limits.max_stack = 100;
  specs[4].limits.max_total_fuel = 1000;
  specs[5].steps.push_back(specs[5].steps[0]);
  const auto sinks = SubmitTogether(std::move(specs));
  for (const SinkRef& sink : sinks) sink->AwaitEnd();
  EXPECT_EQ(cpu_.launches().size(), 6u);
  for (const FakeLaunch& launch : cpu_.launches()) EXPECT_EQ(launch.taken, 1u);
}

TEST_F(SharedBatchTest, TenantsAndPrioritiesMayDiffer) {
  Start();
  std::vector<JobSpec> specs;
  for (uint32_t job = 0; job < 20; ++job) {
    specs.push_back(Small(job, 1));
    specs.back().tenant = "tenant" + std::to_string(job % 3);
    specs.back().priority = static_cast<int32_t>(job % 5);
  }
  const auto sinks = SubmitTogether(std::move(specs));
  for (uint32_t job = 0; job < 20; ++job) ExpectJob(*sinks[job], job, 1);
  EXPECT_EQ(cpu_.launches().size(), 2u);
}

TEST_F(SharedBatchTest, AJobThatFillsTheDeviceKeepsItsOwnDispatches) {
  Start();
  const auto sinks = SubmitTogether({Small(0, 1), Small(1, 40), Small(2, 1), Small(3, 1)});
  ExpectJob(*sinks[0], 0, 1);
  ExpectJob(*sinks[1], 1, 40);
  ExpectJob(*sinks[2], 2, 1);
  ExpectJob(*sinks[3], 3, 1);
  std::vector<uint32_t> taken;
  for (const FakeLaunch& launch : cpu_.launches()) taken.push_back(launch.taken);
  EXPECT_EQ(std::count(taken.begin(), taken.end(), 40u), 1);
  EXPECT_EQ(std::count(taken.begin(), taken.end(), 2u), 1);
}

// Two lanes run at a time here: as soon as two are under way, others go in another dispatch.
TEST_F(SharedBatchTest, NobodySitsBehindInstancesThatTakeLong) {
  std::atomic<bool> done{false};
  cpu_.act = [&](const FakeLane& lane) {
    if (lane.number >= 10'000) return LaneAct::kDone;
    if (lane.number >= 3000) return LaneAct::kQueued;
    return done ? LaneAct::kDone : LaneAct::kStay;
  };
  Start();
  std::vector<JobSpec> specs;
  for (uint32_t job = 0; job < 5; ++job) specs.push_back(Small(job, 1));
  for (uint32_t job = 10; job < 30; ++job) specs.push_back(Small(job, 1));
  const auto sinks = SubmitTogether(std::move(specs));
  for (uint32_t i = 5; i < 25; ++i) ExpectJob(*sinks[i], i + 5, 1);
  EXPECT_EQ(sinks[0]->ends() + sinks[1]->ends() + sinks[2]->ends(), 0u);
  for (const JobId id : {4, 5}) scheduler_->Cancel(id);  // of whom no lane was ever begun
  done = true;
  for (uint32_t job = 0; job < 3; ++job) ExpectJob(*sinks[job], job, 1);
  for (uint32_t job = 3; job < 5; ++job) {
    sinks[job]->AwaitEnd();
    EXPECT_TRUE(sinks[job]->cancelled());
    EXPECT_TRUE(sinks[job]->Results().empty());
  }
}

TEST_F(SharedBatchTest, LaunchesWithNewcomersAreShortAndGrowWithoutThem) {
  std::atomic<int> left{40};
  cpu_.act = [&](const FakeLane&) { return --left > 0 ? LaneAct::kStay : LaneAct::kDone; };
  cpu_.on_launch = [this](const FakeLaunch& launch) {
    clock_.Advance(launch.max_duration);
    return launch.max_duration;
  };
  Start();
  const auto sinks = SubmitSmall(3, 1);
  for (uint32_t job = 0; job < 3; ++job) ExpectJob(*sinks[job], job, 1);
  std::vector<std::chrono::nanoseconds> shared;
  for (const FakeLaunch& launch : cpu_.launches()) {
    if (launch.lanes > 1) shared.push_back(launch.max_duration);
  }
  ASSERT_GE(shared.size(), 8u);
  EXPECT_EQ(shared[0], std::chrono::milliseconds(10));
  EXPECT_EQ(shared[1], std::chrono::milliseconds(20));
  EXPECT_EQ(shared[7], std::chrono::milliseconds(500));
}

TEST_F(SharedBatchTest, TwoLaunchesAtATimeAndQueuesOfSeats) {
  cpu_.launches_at_once = 2;
  cpu_.seats_per_lane = 8;
  Start();
  const auto sinks = SubmitSmall(150, 3);
  for (uint32_t job = 0; job < 150; ++job) ExpectJob(*sinks[job], job, 3);
  EXPECT_LE(cpu_.launches().size(), 450u / 32 + 4);
}

TEST_F(SharedBatchTest, LongInstancesDoNotHoldLanesThatNobodyUses) {
  std::atomic<bool> done{false};
  cpu_.act = [&](const FakeLane&) { return done ? LaneAct::kDone : LaneAct::kStay; };
  std::atomic<int> spacious{0};
  std::atomic<int> batches{0};
  cpu_.on_allocate = [&](const DispatchShape& shape) {
    if (shape.lanes > 2) ++spacious;
    if (shape.lanes == 2) ++batches;
    return Status();
  };
  Start();
  std::vector<SinkRef> sinks;
  for (uint32_t job = 0; job < 40; ++job) {
    sinks.push_back(Submit(Small(job, 1)));
    Release(job + 1);
    cpu_.AwaitLaunch(cpu_.launches().size() + 4);
  }
  EXPECT_LE(spacious.load(), 3);
  EXPECT_GE(batches.load(), 10);
  done = true;
  for (uint32_t job = 0; job < 40; ++job) ExpectJob(*sinks[job], job, 1);
}

}  // namespace
}  // namespace wb::test
