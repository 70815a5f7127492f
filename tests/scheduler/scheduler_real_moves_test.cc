// Long instances go from the real interpreter to compiled code midway.

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

// Stores and loads through two pages, for seconds on the interpreter.
constexpr std::string_view kLongRun = R"((module (memory 2)
  (func (export "run") (param $n i32) (result i32) (local $i i32)
    (loop $l
      (i32.store (i32.and (i32.mul (local.get $i) (i32.const 20)) (i32.const 0x1fffc))
        (i32.add (local.get $n)
          (i32.load (i32.and (i32.mul (local.get $i) (i32.const 36)) (i32.const 0x1fffc)))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                          (i32.const 400000000))))
    (i32.load (i32.const 4096)))))";

class RealMovesTest : public SchedulerTest {
 protected:
  RealMovesTest() { settings_.start_on_interpreter = true; }

  void StartReal() {
    SchedulerParts parts;
    parts.cpu = [](const std::function<void()>&) -> Result<StartedDevice> {
      CpuSettings settings;
      settings.threads = 2;
      WB_ASSIGN(std::unique_ptr<Device> device, CreateCpuDevice(settings));
      return StartedDevice{std::move(device)};
    };
    parts.interpreter = [](const std::function<void()>&) -> Result<StartedDevice> {
      InterpreterSettings settings;
      settings.id = "interpreter0";
      settings.threads = 2;
      return StartedDevice{CreateInterpreterDevice(settings)};
    };
    parts.compiler = RealCompiler();
    parts.clock = &SystemClock();
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }
  std::chrono::nanoseconds BusyOn(const std::string& device) const {
    for (const DeviceStatus& status : scheduler_->Devices()) {
      if (status.info.id == device) return status.busy;
    }
    return {};
  }
  SinkRef RunOver(JobSpec spec);
  void ExpectFuelIsKept();
  void ExpectEachRanAPart(RecordingSink& sink);
};

// The interpreter has it until it has run more than is worth copying, however slow it is here.
SinkRef RealMovesTest::RunOver(JobSpec spec) {
  EXPECT_TRUE(scheduler_->OrderGate("cpu0", {Gate::kCordoned, {}}).ok());
  SinkRef sink = Submit(std::move(spec));
  while (BusyOn("interpreter0") < std::chrono::milliseconds(1500)) {
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
    EXPECT_GT(status.fuel, 1'000'000u) << status.info.id;
    all += status.fuel;
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
  const auto module = ModuleOf(kLongRun);
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
