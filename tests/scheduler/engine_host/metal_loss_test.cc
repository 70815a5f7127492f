// Whatever Metal's errors and delays: every instance of a job has one result, equal to what it has
// without them. The real scheduler and the metal device over its stand-in, in process.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <utility>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/devices/metal/metal_device.h"
#include "scheduler/scheduler_parts.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"
#include "tests/standin/metal/standin.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;
constexpr uint64_t kLostInstances = 300;

// Some ten thousand units of fuel each, so that slices end midway.
std::shared_ptr<const Module> LostModule() {
  return ModuleOf(R"((module
    (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
      loop $l
        local.get $sum i32.const 31 i32.mul local.get $n i32.add local.get $i i32.xor
        local.set $sum
        local.get $i i32.const 1 i32.add local.tee $i i32.const 4000 i32.lt_u br_if $l
      end
      local.get $sum)))");
}

uint32_t Expected(uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 4000; ++i) sum = (sum * 31 + n) ^ i;
  return sum;
}

class MetalLossTest : public testing::Test {
 protected:
  MetalLossTest() {
    standin::Reset();
    settings_.cache_directory = folder_.path() + "/cache";
    settings_.start_on_interpreter = false;
    settings_.cpu_enabled = false;
    settings_.log = [](Severity, const std::string&) {};
    metal_.memory_bytes = uint64_t{64} << 20;
    metal_.patience = milliseconds(300);
  }
  ~MetalLossTest() override {
    scheduler_.reset();
    standin::Reset();
  }

  void Start() {
    SchedulerParts parts;
    const auto start = [this](const std::function<void()>&) -> Result<StartedDevice> {
      ++starts_;
      WB_ASSIGN(std::unique_ptr<Device> device, CreateMetalDevice(metal_));
      StartedDevice started;
      started.device = std::move(device);
      return started;
    };
    parts.gpus = GpuParts::One("metal", start);
    parts.interpreter = [](const std::function<void()>&) -> Result<StartedDevice> {
      StartedDevice started;
      started.device = CreateInterpreterDevice({.threads = 1});
      return started;
    };
    parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
    parts.clock = &SystemClock();
    auto scheduler = AssembleScheduler(settings_, std::move(parts));
    ASSERT_TRUE(scheduler.ok()) << scheduler.status().ToString();
    scheduler_ = std::move(scheduler).value();
  }

  std::shared_ptr<RecordingSink> Run(uint64_t instances = kLostInstances) {
    auto sink = std::make_shared<RecordingSink>();
    JobSpec spec = NumberJob(LostModule(), instances);
    spec.placement = Placement::kGpu;
    EXPECT_TRUE(scheduler_->Submit(1, std::move(spec), sink).ok());
    sink->AwaitEnd();
    return sink;
  }

  static void ExpectAll(RecordingSink& sink) {
    EXPECT_TRUE(sink.status().ok()) << sink.status().ToString();
    const auto results = sink.Results();
    ASSERT_EQ(results.size(), kLostInstances);
    for (uint32_t i = 0; i < kLostInstances; ++i) {
      ASSERT_EQ(results[i].instance, i);
      ASSERT_EQ(results[i].end, End::kReturned) << i;
      ASSERT_EQ(results[i].steps.at(0).values.at(0), Value::I32(Expected(i)));
    }
    EXPECT_EQ(sink.ends(), 1u);
  }

  TemporaryFolder folder_;
  SchedulerSettings settings_;
  MetalSettings metal_;
  uint32_t starts_ = 0;
  std::unique_ptr<Scheduler> scheduler_;
};

class MetalLossCodeTest : public MetalLossTest, public testing::WithParamInterface<int64_t> {};

TEST_P(MetalLossCodeTest, OneErrorCostsNobodyAResult) {
  standin::Fail({.code = GetParam(), .after = 1});
  Start();
  const auto sink = Run();
  ExpectAll(*sink);
  EXPECT_EQ(starts_, 2u);
  for (const InstanceResult& result : sink->Results()) EXPECT_LE(result.attempt, 2u);
}

// As Metal does: after an error it ignores what the process submits.
TEST_P(MetalLossCodeTest, NorDoSubmissionsThatAreIgnoredAfterIt) {
  // The slice in flight behind it, and the first one of the next device.
  standin::Fail({.code = GetParam(), .after = 1, .then_ignored = 2});
  Start();
  ExpectAll(*Run());
  EXPECT_EQ(starts_, 3u);
}

INSTANTIATE_TEST_SUITE_P(Codes, MetalLossCodeTest,
                         testing::Values(1, 2, 3, 4, 7, 8, 9, 10, 11, 12, standin::kInteractivity));

TEST_F(MetalLossTest, AGpuThatAlwaysFailsFailsInstancesByName) {
  standin::Fail({.code = 2, .after = 0, .times = 1000000});
  Start();
  const auto sink = Run(2);  // each death is waited out longer than the one before
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), 2u);
  for (const InstanceResult& result : results) EXPECT_EQ(result.end, End::kFailed);
  EXPECT_NE(sink->usage().failures.find("died"), std::string::npos);
}

TEST_F(MetalLossTest, AGpuThatHangsIsReplaced) {
  standin::Traits slow;
  slow.command_time = milliseconds(600);
  Start();
  standin::Set(slow);
  auto sink = std::make_shared<RecordingSink>();
  JobSpec spec = NumberJob(LostModule(), kLostInstances);
  spec.placement = Placement::kGpu;
  ASSERT_TRUE(scheduler_->Submit(1, std::move(spec), sink).ok());
  while (starts_ < 2) std::this_thread::yield();
  standin::Set({});
  sink->AwaitEnd();
  ExpectAll(*sink);
}

TEST_F(MetalLossTest, ATextThatMetalRefusesIsAClearRefusal) {
  metal_.options.max_text_bytes = 10;
  Start();
  const auto sink = Run();
  EXPECT_EQ(sink->status().reason(), Reason::kCompileFailed) << sink->status().ToString();
  EXPECT_NE(sink->status().message().find("[10]"), std::string::npos);
  EXPECT_TRUE(sink->Results().empty());
}

TEST_F(MetalLossTest, ACompilerThatHangsIsAClearRefusal) {
  metal_.compile.max_time = milliseconds(50);
  standin::Traits slow;
  slow.pipeline_time = milliseconds(200);
  standin::Set(slow);
  Start();
  const auto sink = Run();
  EXPECT_FALSE(sink->status().ok());
  EXPECT_NE(sink->status().message().find("[50] ms"), std::string::npos)
      << sink->status().ToString();
}

}  // namespace
}  // namespace wb::test
