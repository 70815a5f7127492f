// End to end but for gRPC: a job on the metal device in an engine host of its own, its records in
// memory that both processes map and that Metal's stand-in wraps.

#include <gtest/gtest.h>
#include <signal.h>

#include <utility>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/engine_host/start_remote_device.h"
#include "scheduler/scheduler_parts.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

constexpr uint64_t kMetalInstances = 500;

// A tenth of a second of work for each group of lanes, stored and read back through memory.
std::shared_ptr<const Module> WorkingModule() {
  return ModuleOf(R"((module (memory 1)
    (func (export "run") (param $n i32) (result f64) (local $i i32)
      loop $l
        (f64.store (i32.const 8) (f64.add (f64.load (i32.const 8))
          (f64.div (f64.const 1) (f64.convert_i32_u (i32.add (local.get $n) (local.get $i))))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 3000)))
      end
      (f64.load (i32.const 8)))))");
}

class MetalHostTest : public testing::Test {
 protected:
  MetalHostTest() {
    settings_.cache_directory = folder_.path() + "/cache";
    settings_.start_on_interpreter = false;
    settings_.cpu_enabled = false;
    settings_.log = [](Severity, const std::string&) {};
    SchedulerParts parts;
    parts.gpus = GpuParts::One("metal", [](std::function<void()> on_lost) {
      EngineHostSettings host;
      host.program = WB_METAL_ENGINE_HOST;
      host.engine = Engine::kMetal;
      host.id = "metal0";
      host.memory_bytes = uint64_t{256} << 20;
      host.metal.slice = std::chrono::milliseconds(5);
      return StartRemoteDevice(host, std::move(on_lost));
    });
    parts.interpreter = [](const std::function<void()>&) -> Result<StartedDevice> {
      StartedDevice started;
      started.device = CreateInterpreterDevice({.id = "interpreter0", .threads = 1});
      return started;
    };
    parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
    parts.clock = &SystemClock();
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }

  std::shared_ptr<RecordingSink> Submit(Placement placement) {
    auto sink = std::make_shared<RecordingSink>();
    JobSpec spec = NumberJob(WorkingModule(), kMetalInstances);
    spec.columns[0].start = Value::I32(1);
    spec.placement = placement;
    EXPECT_TRUE(scheduler_->Submit(next_id_++, std::move(spec), sink).ok());
    return sink;
  }
  DeviceStatus Metal() const {
    for (DeviceStatus& status : scheduler_->Devices()) {
      if (status.info.id == "metal0") return status;
    }
    return {};
  }

  TemporaryFolder folder_;
  SchedulerSettings settings_;
  std::unique_ptr<Scheduler> scheduler_;
  JobId next_id_ = 1;
};

void ExpectEqual(RecordingSink& metal, RecordingSink& wanted) {
  EXPECT_TRUE(metal.status().ok()) << metal.status().ToString();
  const auto results = metal.Results();
  const auto others = wanted.Results();
  ASSERT_EQ(results.size(), kMetalInstances);
  ASSERT_EQ(others.size(), kMetalInstances);
  for (size_t i = 0; i < kMetalInstances; ++i) {
    ASSERT_EQ(results[i].device, "metal0");
    ASSERT_EQ(results[i].end, End::kReturned);
    ASSERT_EQ(results[i].fuel, others[i].fuel);
    ASSERT_EQ(results[i].steps.at(0).values, others[i].steps.at(0).values) << i;
  }
}

TEST_F(MetalHostTest, AJobGivesWhatTheInterpreterGivesAlsoWhenTheHostIsKilledMidway) {
  const auto wanted = Submit(Placement::kInterpreter);
  wanted->AwaitEnd();
  const auto whole = Submit(Placement::kGpu);
  whole->AwaitEnd();
  ExpectEqual(*whole, *wanted);
  EXPECT_EQ(Metal().info.engine, Engine::kMetal);

  const auto cut = Submit(Placement::kGpu);
  while (Metal().state != "bursting") std::this_thread::yield();
  ASSERT_GT(Metal().host_pid, 0);
  ASSERT_EQ(kill(static_cast<pid_t>(Metal().host_pid), SIGKILL), 0);
  cut->AwaitEnd();
  ExpectEqual(*cut, *wanted);
  EXPECT_EQ(Metal().restarts, 1u);
}

}  // namespace
}  // namespace wb::test
