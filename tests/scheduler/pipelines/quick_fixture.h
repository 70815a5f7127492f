#pragma once

// A scheduler whose CPU device has a quick build of the module, and the full one when the test
// says.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {

// A job of instances that end on the full build alone. A launch takes what its instructions take,
// which is the engine's speed: a first slice is short, and is to show the same.
class QuickBuildTest : public SchedulerTest {
 protected:
  QuickBuildTest() {
    settings_.start_on_interpreter = true;
    interpreter_.stay_fuel = cpu_.stay_fuel = kStayFuel;
    interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
    interpreter_.on_launch = [](const FakeLaunch& launch) {
      return TimeOf(launch, std::chrono::milliseconds(10));
    };
    cpu_.quick_text_below = 1000;
    cpu_.on_quick_build = [this](const KernelSource&) -> Result<Bytes> {
      clock_.Advance(std::chrono::milliseconds(200));
      return Bytes{1};
    };
    cpu_.on_build = [this, full = full_()](const KernelSource& source) {
      Result<Bytes> built = full(source);
      clock_.Advance(std::chrono::seconds(3));  // before, it would be the time of a lane's move
      return built;
    };
    cpu_.on_load = [this](ByteView binary) {
      is_full_ = binary.size() == 2;
      return Status();
    };
    cpu_.on_launch = [this](const FakeLaunch& launch) -> std::chrono::nanoseconds {
      (is_full_ ? full_launches_ : quick_launches_)++;
      return is_full_ ? std::chrono::milliseconds(1) : TimeOf(launch, quick_busy_.load());
    };
    cpu_.act = [this](const FakeLane&) { return is_full_ ? LaneAct::kDone : LaneAct::kStay; };
    cpu_.adds_fuel = true;
  }
  ~QuickBuildTest() override {
    if (!is_finished_) FinishFull();
  }

  // `whole`: of kStayFuel.
  static std::chrono::nanoseconds TimeOf(const FakeLaunch& launch, std::chrono::nanoseconds whole) {
    const uint64_t fuel = std::clamp<uint64_t>(launch.slice_fuel, 1, kStayFuel);
    return whole * fuel / kStayFuel;
  }
  void FinishFull() {
    is_finished_ = true;
    full_.Finish(Bytes{2, 2});
  }
  static void AwaitReason(RecordingSink& sink, const std::string& words) {
    sink.AwaitProgress([&words](const JobProgress& progress) {
      return progress.placement_reason.find(words) != std::string::npos;
    });
  }
  void AwaitLaunches(FakeEngine& engine, size_t more) {
    engine.AwaitLaunch(engine.launches().size() + more);
  }
  static void ExpectFull(RecordingSink& sink) {
    for (const InstanceResult& result : sink.Results()) {
      EXPECT_EQ(result.attempt, 1u);
      EXPECT_EQ(result.device, "cpu0");
      EXPECT_EQ(result.build, KernelBuild::kFull);
    }
  }

  static constexpr uint64_t kStayFuel = 1'000'000;  // of a lane in a launch
  std::atomic<std::chrono::milliseconds> quick_busy_{std::chrono::milliseconds(40)};
  std::atomic<bool> is_full_{false};
  std::atomic<int> quick_launches_{0}, full_launches_{0};
  SlowBuild full_;
  bool is_finished_ = false;
};

}  // namespace wb::test
