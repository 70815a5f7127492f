// Long instances go from the real interpreter to compiled code midway.

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "tests/scheduler/real_parts.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

// Stores and loads through two pages, for seconds on the interpreter if ROUNDS are many.
constexpr std::string_view kLoop = R"((module (memory 2)
  (func (export "run") (param $n i32) (result i32) (local $i i32)
    (loop $l
      (i32.store (i32.and (i32.mul (local.get $i) (i32.const 20)) (i32.const 0x1fffc))
        (i32.add (local.get $n)
          (i32.load (i32.and (i32.mul (local.get $i) (i32.const 36)) (i32.const 0x1fffc)))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                          (i32.const ROUNDS))))
    (i32.load (i32.const 4096)))))";

std::shared_ptr<const Module> LoopOf(uint32_t rounds) {
  std::string text(kLoop);
  text.replace(text.find("ROUNDS"), 6, std::to_string(rounds));
  return ModuleOf(text);
}

class RealMovesTest : public SchedulerTest {
 protected:
  RealMovesTest() { settings_.start_on_interpreter = true; }

  void StartReal() { scheduler_ = AssembleScheduler(settings_, RealParts()).value(); }
  std::chrono::nanoseconds BusyOn(const std::string& device) const {
    for (const DeviceStatus& status : scheduler_->Devices()) {
      if (status.info.id == device) return status.busy;
    }
    return {};
  }
  uint64_t FuelOn(const std::string& device) const {
    for (const DeviceStatus& status : scheduler_->Devices()) {
      if (status.info.id == device) return status.fuel;
    }
    return 0;
  }
  std::chrono::duration<double> TimeToRun(double fuel);
  SinkRef RunOver(JobSpec spec);
  void ExpectFuelIsKept();
  void ExpectEachRanAPart(RecordingSink& sink);

  uint64_t measured_ = 0;  // fuel that the interpreter ran before
};

// Of the interpreter, as fast as it is here: a thread sanitizer makes it a hundred times slower.
std::chrono::duration<double> RealMovesTest::TimeToRun(double fuel) {
  const SinkRef sink = Submit(NumberJob(LoopOf(50'000), 2));
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
  measured_ = FuelOn("interpreter0");
  EXPECT_GT(measured_, 0u);
  const std::chrono::duration<double> busy = BusyOn("interpreter0");
  return busy * (fuel / static_cast<double>(std::max<uint64_t>(measured_, 1)));
}

// The interpreter has it until it has run more than is worth copying.
SinkRef RealMovesTest::RunOver(JobSpec spec) {
  EXPECT_TRUE(scheduler_->OrderGate("cpu0", {Gate::kCordoned, {}}).ok());
  const auto time =
      std::max<std::chrono::duration<double>>(std::chrono::milliseconds(1500), TimeToRun(30e6));
  const auto least = time + BusyOn("interpreter0");
  SinkRef sink = Submit(std::move(spec));
  while (BusyOn("interpreter0") < least) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(scheduler_->OrderGate("cpu0", {Gate::kOpen, {}}).ok());
  sink->AwaitEnd();
  return sink;
}

// Each device has run a part, and nothing was run twice: an instance that starts again leaves
// nothing behind in a device's count.
void RealMovesTest::ExpectEachRanAPart(RecordingSink& sink) {
  uint64_t all = 0;
  for (const DeviceStatus& status : scheduler_->Devices()) {
    const uint64_t fuel = status.fuel - (status.info.id == "interpreter0" ? measured_ : 0);
    EXPECT_GT(fuel, 1'000'000u) << status.info.id;
    all += fuel;
  }
  EXPECT_EQ(all, sink.usage().fuel) << sink.progress().placement_reason;
  ASSERT_EQ(sink.Results().size(), 3u);
  for (const InstanceResult& result : sink.Results()) {
    EXPECT_EQ(result.fuel, sink.Results()[0].fuel);
    EXPECT_EQ(result.attempt, 1u);
  }
  EXPECT_EQ(sink.Results()[2].device, "cpu0");
}

void RealMovesTest::ExpectFuelIsKept() {
  const auto module = LoopOf(400'000'000);
  JobSpec spec = NumberJob(module, 3);
  spec.limits.max_memory_bytes = 2 << 16;
  const SinkRef sink = RunOver(std::move(spec));
  ASSERT_TRUE(sink->status().ok()) << sink->status().ToString();
  ASSERT_NO_FATAL_FAILURE(ExpectEachRanAPart(*sink));
  // In one piece, on the compiled engine from the start.
  const SinkRef again = Submit(NumberJob(module, 3));
  again->AwaitEnd();
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again->Results()[i].fuel, sink->Results()[i].fuel);
    EXPECT_EQ(again->Results()[i].steps[0].values[0], sink->Results()[i].steps[0].values[0]);
  }
}

// Its instances go from the interpreter to the compiled pipeline.
TEST_F(RealMovesTest, ALongInstanceKeepsItsFuel) {
  StartReal();
  ExpectFuelIsKept();
}

TEST_F(RealMovesTest, BetweenEngineHosts) {
  settings_.engine_host_path = WB_ENGINE_HOST;
  auto scheduler = CreateScheduler(settings_);
  ASSERT_TRUE(scheduler.ok()) << scheduler.status().ToString();
  scheduler_ = std::move(scheduler).value();
  ExpectFuelIsKept();
}

}  // namespace
}  // namespace wb::test
