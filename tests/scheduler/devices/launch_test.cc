// Launches: how long they last, what stops them, in which order lanes run, limits of an instance.

#include <gtest/gtest.h>

#include <thread>

#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

Work SpinWork(const char* function, uint32_t lanes, uint32_t n) {
  Work work;
  work.module = LowerText(kSpin);
  work.lanes = lanes;
  work.steps = {Call(function, {ColumnArg(0)})};
  work.columns = {std::vector<uint32_t>(lanes, n)};
  return work;
}

class Launch : public testing::TestWithParam<size_t> {
 protected:
  Device& device() { return *Engines()[GetParam()].device; }
};

TEST_P(Launch, EndsWhenItsTimeIsOver) {
  const Work work = SpinWork("forever", 10, 0);
  const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
  for (int i = 0; i < 3; ++i) {
    LaunchLimits limits;
    limits.max_duration = std::chrono::milliseconds(5);
    limits.quantum = 10000;
    const auto report = device().Launch(*dispatch, limits);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->seats_left, 10u);
    // A GPU's time between two slices is not counted.
    const bool sliced = device().info().engine == Engine::kMetal;
    EXPECT_GE(report->busy, sliced ? std::chrono::microseconds(1) : std::chrono::milliseconds(5));
  }
}

TEST_P(Launch, EndsWhenStopped) {
  const Work work = SpinWork("forever", 10, 0);
  const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  limits.quantum = 10000;
  std::atomic<bool> ended = false;
  std::thread stopper([&] {
    while (!ended) {
      device().Stop();
      std::this_thread::yield();
    }
  });
  const auto report = device().Launch(*dispatch, limits);
  ended = true;
  stopper.join();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->seats_left, 10u);
}

TEST_P(Launch, IsNotStoppedByAnEarlierStop) {
  device().Stop();
  const Work work = SpinWork("run", 4, 100000);
  const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
  LaunchLimits limits;
  limits.quantum = 100;
  const auto report = device().Launch(*dispatch, limits);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->seats_left, 0u);
}

TEST_P(Launch, GetsSomewhereInNoTime) {
  const Work work = SpinWork("run", 8, 1000);
  const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
  LaunchLimits limits;
  limits.max_duration = std::chrono::nanoseconds(0);
  limits.quantum = 50;
  for (int i = 0; i < 100000; ++i) {
    const auto report = device().Launch(*dispatch, limits);
    ASSERT_TRUE(report.ok());
    if (report->seats_left == 0) return;
  }
  FAIL() << "The lanes never ended.";
}

TEST_P(Launch, RunsLeftLanesBeforeNewOnes) {
  Work work = SpinWork("run", 6, 100);
  const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
  for (uint32_t lane : {0u, 1u, 2u}) {
    dispatch->records()[size_t{lane} * dispatch->shape().RecordWords()] = abi::SEAT_EMPTY;
  }
  LaunchLimits limits;
  limits.slice_fuel = 10;
  ASSERT_EQ(device().Launch(*dispatch, limits)->seats_left, 3u);
  EXPECT_EQ(SeatState(*dispatch, 3), abi::SEAT_RUNNING);
  for (uint32_t lane : {0u, 1u, 2u}) {
    EXPECT_EQ(SeatState(*dispatch, lane), abi::SEAT_EMPTY);
    MarkStart(dispatch->records().subspan(size_t{lane} * dispatch->shape().RecordWords()));
  }
  RunToEnd(device(), *dispatch, {10, 0});
  for (uint32_t lane = 0; lane < 6; ++lane) EXPECT_EQ(SeatState(*dispatch, lane), abi::SEAT_DONE);
}

TEST_P(Launch, OneLaneAndManyLanes) {
  for (uint32_t lanes : {1u, 2u, 31u, 1024u}) {
    Work work = SpinWork("run", lanes, 0);
    for (uint32_t lane = 0; lane < lanes; ++lane) work.columns[0][lane] = 1 + lane;
    const auto records = Records(device(), work, {500, 1});
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const Record record = RecordOf(records, work.Shape(), lane);
      ASSERT_EQ(record.registers[0], 1 + lane);
      ASSERT_EQ(record.fuel, 7u * (1 + lane) + 1);
    }
  }
}

TEST_P(Launch, NothingSeatedIsNothingDone) {
  const Work work = SpinWork("run", 3, 5);
  const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
  RunToEnd(device(), *dispatch);
  const std::vector<uint32_t> before(dispatch->records().begin(), dispatch->records().end());
  RunToEnd(device(), *dispatch, {}, 1);
  EXPECT_EQ(std::vector<uint32_t>(dispatch->records().begin(), dispatch->records().end()), before);
}

TEST_P(Launch, EndsInstancesThatAreOutOfFuel) {
  Work work = SpinWork("forever", 33, 0);
  work.max_fuel = 1000;
  const auto wanted = Records(Cpu(), work);
  EXPECT_EQ(RecordOf(wanted, work.Shape(), 1).end, static_cast<uint32_t>(End::kOutOfFuel));
  EXPECT_EQ(RecordOf(wanted, work.Shape(), 1).fuel, 1001u);
  for (const Slicing& slicing : {Slicing{}, Slicing{1, 1}, Slicing{100, 1, 3}}) {
    EXPECT_EQ(Records(device(), work, slicing), wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Launch, testing::Range(size_t{0}, kEngines),
                         [](const auto& test) { return Engines()[test.param].name; });

}  // namespace
}  // namespace wb::test
