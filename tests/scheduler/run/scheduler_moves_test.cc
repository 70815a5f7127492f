// Instances that leave a device take their state along, where that pays and fits; whatever goes
// wrong on the way, each ends exactly once.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

constexpr uint32_t kSeats = 16;
constexpr uint64_t kLongMove = uint64_t{1} << 30;  // fuel of one launch

// A job of instances that stay on the interpreter until the compiler is done.
class SchedulerMovesTest : public SchedulerTest {
 protected:
  SchedulerMovesTest() {
    settings_.start_on_interpreter = true;
    settings_.interpreter.burst_instances = kSeats;
    interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
    interpreter_.stay_fuel = kLongMove;
    interpreter_.busy = std::chrono::seconds(10);
    interpreter_.blocks_until_stop = true;  // one launch
    cpu_.adds_fuel = true;
    cpu_.on_build = build_();
  }

  // To its end, having been on both devices.
  SinkRef RunOver() {
    Start();
    const SinkRef sink = SubmitNumbers(kSeats);
    interpreter_.AwaitLaunch(1);
    while (cpu_.builds() == 0) {  // the compiler begins once the clock says that it pays
      clock_.Advance(std::chrono::milliseconds(50));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    build_.Finish();
    sink->AwaitEnd();
    return sink;
  }
  // How many ended with what they had used before.
  static uint32_t CountMoved(RecordingSink& sink) {
    uint32_t moved = 0;
    for (const InstanceResult& result : sink.Results()) moved += result.fuel > kLongMove ? 1 : 0;
    return moved;
  }
  static void ExpectAttempts(RecordingSink& sink, uint32_t attempt) {
    for (const InstanceResult& result : sink.Results()) EXPECT_EQ(result.attempt, attempt);
  }
  uint64_t FuelOfAllDevices() const {
    uint64_t fuel = 0;
    for (const DeviceStatus& status : scheduler_->Devices()) fuel += status.fuel;
    return fuel;
  }

  SlowBuild build_;
};

TEST_F(SchedulerMovesTest, WhoIsSeatedGoesOnWhereHeWas) {
  const SinkRef sink = RunOver();
  ExpectNumbers(*sink, kSeats);
  ExpectAttempts(*sink, 1);
  EXPECT_EQ(interpreter_.given_out(), kSeats);
  EXPECT_EQ(cpu_.import_lanes(), kSeats);
  EXPECT_EQ(CountMoved(*sink), kSeats);
  // Nothing was run twice.
  EXPECT_EQ(FuelOfAllDevices(), sink->usage().fuel);
}

TEST_F(SchedulerMovesTest, WhoHasRunLittleStartsAgain) {
  interpreter_.stay_fuel = 1000;
  interpreter_.busy = std::chrono::microseconds(10);
  const SinkRef sink = RunOver();
  ExpectNumbers(*sink, kSeats);
  ExpectAttempts(*sink, 1);
  EXPECT_EQ(interpreter_.given_out(), 0u);
}

TEST_F(SchedulerMovesTest, WhoDoesNotFitStartsAgain) {
  std::atomic<uint32_t> asked{0};
  cpu_.on_import_lanes = [&](const LaneImage&) {
    return ++asked % 2 == 0 ? Status(Reason::kInvalidArgument, "No.") : Status();
  };
  const SinkRef sink = RunOver();
  ExpectNumbers(*sink, kSeats);
  ExpectAttempts(*sink, 1);
  EXPECT_EQ(CountMoved(*sink), kSeats / 2);
}

TEST_F(SchedulerMovesTest, DevicesThatMoveNobody) {
  cpu_.moves_lanes = false;
  const SinkRef sink = RunOver();
  ExpectNumbers(*sink, kSeats);
  EXPECT_EQ(CountMoved(*sink), 0u);
}

TEST_F(SchedulerMovesTest, BeyondTheBoundTheOthersStartAgain) {
  settings_.moved_max_bytes = 200;
  const SinkRef sink = RunOver();
  ExpectNumbers(*sink, kSeats);
  EXPECT_GT(CountMoved(*sink), 0u);
  EXPECT_LT(CountMoved(*sink), 8u);
}

TEST_F(SchedulerMovesTest, ACancelWhileTheyMove) {
  interpreter_.on_export_lanes = [this](uint32_t) {
    scheduler_->Cancel(1);
    return Status();
  };
  const SinkRef sink = RunOver();
  EXPECT_TRUE(sink->cancelled());
  EXPECT_EQ(sink->ends(), 1u);
  EXPECT_LE(sink->Results().size(), kSeats);
}

TEST_F(SchedulerMovesTest, TheDeviceDiesAsItGivesThemOut) {
  const Pusher pusher(clock_);
  interpreter_.on_export_lanes = [](uint32_t seat) {
    return seat < 5 ? Status() : Status(Reason::kDeviceLost, "It died.");
  };
  const SinkRef sink = RunOver();
  ExpectNumbers(*sink, kSeats);
  ExpectAttempts(*sink, 2);
  EXPECT_EQ(CountMoved(*sink), 0u);
}

TEST_F(SchedulerMovesTest, TheDeviceDiesAsItTakesThemIn) {
  const Pusher pusher(clock_);
  std::atomic<uint32_t> asked{0};
  cpu_.on_import_lanes = [&](const LaneImage&) {
    return ++asked < 5 ? Status() : Status(Reason::kDeviceLost, "It died.");
  };
  const SinkRef sink = RunOver();
  ExpectNumbers(*sink, kSeats);
  ExpectAttempts(*sink, 2);
  EXPECT_EQ(CountMoved(*sink), 0u);
  EXPECT_EQ(asked, 5u);  // they have nothing to take in any more
}

TEST_F(SchedulerMovesTest, OfADrainedDeviceTheyGoOnElsewhere) {
  settings_.start_on_interpreter = false;
  build_.Finish();
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  cpu_.stay_fuel = kLongMove;
  cpu_.blocks_until_stop = true;
  interpreter_.act = nullptr;
  interpreter_.adds_fuel = true;
  interpreter_.ReleaseLaunches();
  Start();
  const SinkRef sink = SubmitNumbers(kSeats);
  cpu_.AwaitLaunch(1);
  ASSERT_TRUE(scheduler_->OrderGate("cpu0", {Gate::kDraining, std::chrono::seconds(0)}).ok());
  ExpectNumbers(*sink, kSeats);
  ExpectAttempts(*sink, 1);
  EXPECT_EQ(CountMoved(*sink), kSeats);
  EXPECT_EQ(FuelOfAllDevices(), sink->usage().fuel);
}

TEST_F(SchedulerMovesTest, AFullPipelineTakesThemOverFromTheQuickOne) {
  settings_.start_on_interpreter = false;
  cpu_.quick_text_below = 1000;
  cpu_.on_quick_build = [](const KernelSource&) -> Result<Bytes> { return Bytes{2}; };
  std::atomic<bool> full{false};
  cpu_.on_load = [&full](ByteView binary) {
    full = binary[0] == 1;
    return Status();
  };
  cpu_.act = [&full](const FakeLane&) { return full ? LaneAct::kDone : LaneAct::kStay; };
  cpu_.stay_fuel = kLongMove;
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef sink = SubmitNumbers(kSeats);
  cpu_.AwaitLaunch(1);
  build_.Finish();
  cpu_.AwaitLaunch(2);
  cpu_.ReleaseLaunches();
  ExpectNumbers(*sink, kSeats);
  ExpectAttempts(*sink, 1);
  EXPECT_EQ(cpu_.import_lanes(), kSeats);
  EXPECT_EQ(CountMoved(*sink), kSeats);
}

}  // namespace
}  // namespace wb::test
