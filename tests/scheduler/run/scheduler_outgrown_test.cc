// Instances whose output outgrows their records, where there is room for a few whole results.

#include <chrono>
#include <memory>
#include <thread>

#include "tests/scheduler/real_interpreter.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

constexpr uint32_t kStep = 30'000;  // three of them outgrow a record

// Instance n gives n * kStep bytes, all of them n.
constexpr std::string_view kFills = R"((module (memory 5)
  (func (export "run") (param $n i32) (result i32)
    (memory.fill (i32.const 0) (local.get $n) (i32.mul (local.get $n) (i32.const 30000)))
    (i32.mul (local.get $n) (i32.const 30000)))))";

class OutgrownTest : public SchedulerTest {
 protected:
  // The interpreter is a real one.
  void SetUp() override {
    SchedulerParts parts;
    parts.interpreter = StartRealInterpreter;
    parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
    parts.clock = &SystemClock();
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }
  void TearDown() override { scheduler_.reset(); }

  SinkRef SubmitFills(uint64_t instances, uint64_t whole_room) {
    auto sink = std::make_shared<RecordingSink>(kMuch);
    sink->SetWholeRoom(whole_room);
    JobSpec spec = NumberJob(module_, instances);
    spec.limits.max_output_bytes = 16 << 20;
    Operand length;
    length.source = Operand::Source::kResult;
    spec.steps.push_back(
        ReadStep{{Operand::Source::kConstant, Value::I32(0), 0, 0, 0}, length, "out"});
    EXPECT_TRUE(scheduler_->Submit(next_id_++, std::move(spec), sink).ok());
    return sink;
  }
  static void ExpectFilled(RecordingSink& sink, uint64_t instances) {
    sink.AwaitEnd();
    ASSERT_TRUE(sink.status().ok()) << sink.status().ToString();
    const std::vector<InstanceResult> results = sink.Results();
    ASSERT_EQ(results.size(), instances);
    for (uint32_t i = 0; i < instances; ++i) {
      ASSERT_EQ(results[i].end, End::kReturned) << i;
      EXPECT_EQ(results[i].attempt, 1u);
      ASSERT_EQ(results[i].outputs.size(), 1u);
      EXPECT_EQ(results[i].outputs[0].bytes, Bytes(i * kStep, static_cast<uint8_t>(i))) << i;
    }
    EXPECT_FALSE(sink.overflowed());
    EXPECT_EQ(sink.widened(), 0u) << "all room is given back";
  }

  const std::shared_ptr<const Module> module_ = ModuleOf(kFills);
};

TEST_F(OutgrownTest, AFewAtATimeHaveRoomAndAllEnd) {
  const SinkRef sink = SubmitFills(10, 2);
  ExpectFilled(*sink, 10);
  EXPECT_EQ(sink->most_widened(), 2u);
}

TEST_F(OutgrownTest, WithRoomForAllNobodyWaits) {
  const SinkRef sink = SubmitFills(10, 100);
  ExpectFilled(*sink, 10);
  EXPECT_EQ(sink->most_widened(), 7u) << "numbers 3 to 9";
}

TEST_F(OutgrownTest, JobsThatShareLaunchesWaitForTheirOwnReaders) {
  const SinkRef slow = SubmitFills(6, 0);
  const SinkRef fast = SubmitFills(6, 1);
  const SinkRef third = SubmitFills(6, 3);
  ExpectFilled(*fast, 6);
  ExpectFilled(*third, 6);
  slow->AwaitResults(3);
  EXPECT_EQ(slow->ends(), 0u);
  slow->SetWholeRoom(1);
  Wake();
  ExpectFilled(*slow, 6);
}

// Small results come, and no launch is made of instances that wait.
TEST_F(OutgrownTest, WithoutRoomTheyWaitAndNothingIsLaunched) {
  const SinkRef sink = SubmitFills(8, 0);
  sink->AwaitResults(3);  // numbers 0, 1 and 2
  sink->AwaitProgress(
      [](const JobProgress& progress) { return progress.finished == 3 && progress.running == 0; });
  const uint64_t bursts = sink->progress().usage.bursts;
  Wake();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(sink->progress().usage.bursts, bursts);
  EXPECT_EQ(sink->Results().size(), 3u);
  EXPECT_EQ(sink->ends(), 0u);
  const std::vector<WaitReason> waits = scheduler_->Waits(1);
  ASSERT_FALSE(waits.empty());
  sink->SetWholeRoom(5);
  Wake();
  ExpectFilled(*sink, 8);
}

TEST_F(OutgrownTest, ACancelledJobGivesRoomBack) {
  const SinkRef sink = SubmitFills(8, 1);
  sink->AwaitResults(4);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  scheduler_.reset();
  EXPECT_EQ(sink->widened(), 0u);
  EXPECT_FALSE(sink->overflowed());
}

}  // namespace
}  // namespace wb::test
