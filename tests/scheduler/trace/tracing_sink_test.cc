#include "scheduler/trace/tracing_sink.h"

#include <gtest/gtest.h>

#include <future>
#include <mutex>

#include "tests/fakes/forwarding_device.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"
#include "tests/scheduler/trace/trapped_run.h"

namespace wb::test {
namespace {

class TracingSinkTest : public testing::Test {
 protected:
  // A tracer whose compiler works until Open().
  void Start(uint64_t instances, const ReplayLimits& limits = {}) {
    auto modules = std::make_shared<LoweredModules>(
        uint64_t{1} << 20,
        [opened = opened_](std::shared_ptr<const Module> module,
                           const Stop& stop) -> Result<LoweredModuleRef> {
          opened.wait();
          return RealLower()(std::move(module), stop);
        });
    tracer_ = std::make_unique<Tracer>(std::move(modules), TracingInterpreter(), limits);
    plan_ = std::make_shared<const JobPlan>(PlanOf(
        ModuleOf(R"((module (func (unreachable)) (func (export "run") (call 0))))"), instances));
    trapped_ = ResultOf(*plan_);
    ASSERT_EQ(trapped_.end, End::kTrapped);
  }
  void Open() { open_.set_value(); }

  std::shared_ptr<TracingSink> SinkOver(const std::shared_ptr<RecordingSink>& behind) {
    auto sink = std::make_shared<TracingSink>(behind, *tracer_);
    sink->Begin(plan_);
    return sink;
  }
  // Results of these instances, which trapped.
  ResultBatch Trapped(std::initializer_list<uint64_t> instances) const {
    ResultBatch batch;
    for (uint64_t instance : instances) {
      InstanceResult result = trapped_;
      result.instance = instance;
      batch.Add(std::move(result));
    }
    return batch;
  }

  std::promise<void> open_;
  std::shared_future<void> opened_ = open_.get_future().share();
  std::shared_ptr<const JobPlan> plan_;
  InstanceResult trapped_;
  std::shared_ptr<RecordingSink> behind_ = std::make_shared<RecordingSink>();
  std::unique_ptr<Tracer> tracer_;
};

TEST_F(TracingSinkTest, TheFirstThreeTrapsHaveBacktracesWhenTheJobEnds) {
  Start(5);
  const auto sink = SinkOver(behind_);
  sink->Reserve(5);
  sink->OnResults(Trapped({0, 1, 2, 3, 4}));
  sink->OnEnd({}, false, {});
  EXPECT_EQ(behind_->ends(), 0u);
  Open();
  behind_->AwaitEnd();
  const std::vector<InstanceResult> results = behind_->Results();
  ASSERT_EQ(results.size(), 5u);
  for (const InstanceResult& result : results) {
    EXPECT_EQ(result.backtrace.size(), result.instance < ReplayLimits().per_job ? 2u : 0u);
    EXPECT_EQ(result.backtrace_error, "");
  }
  EXPECT_EQ(behind_->ends(), 1u);
  EXPECT_FALSE(behind_->overflowed());
}

TEST_F(TracingSinkTest, AsManyTrapsHaveBacktracesAsTheLimitsSay) {
  ReplayLimits limits;
  limits.per_job = 1;
  Start(2, limits);
  const auto sink = SinkOver(behind_);
  sink->Reserve(2);
  sink->OnResults(Trapped({0, 1}));
  EXPECT_EQ(behind_->Results().size(), 1u);
  Open();
  behind_->AwaitResults(2);
  EXPECT_EQ(behind_->Results()[0].backtrace.size(), 2u);
}

TEST_F(TracingSinkTest, OtherResultsPassAtOnce) {
  Start(3);
  const auto sink = SinkOver(behind_);
  InstanceResult returned;
  returned.instance = 2;
  ResultBatch batch = Trapped({0, 1});
  batch.Add(returned);
  sink->Reserve(3);
  sink->OnResults(std::move(batch));
  EXPECT_EQ(behind_->Results().size(), 1u);
  EXPECT_EQ(behind_->Results()[0].instance, 2u);
  Open();
  behind_->AwaitResults(3);
}

TEST_F(TracingSinkTest, AJobWithoutTrapsEndsAtOnce) {
  Start(1);
  const auto sink = SinkOver(behind_);
  sink->Reserve(1);
  sink->OnResults(std::vector<InstanceResult>(1));
  sink->OnEnd({}, false, {});
  EXPECT_EQ(behind_->ends(), 1u);
  Open();
}

TEST_F(TracingSinkTest, WhenManyWaitTrapsPassWithoutABacktrace) {
  Start(1);
  std::vector<std::shared_ptr<RecordingSink>> behind;
  for (size_t job = 0; job < 6; ++job) {
    behind.push_back(std::make_shared<RecordingSink>());
    const auto sink = SinkOver(behind.back());
    sink->Reserve(3);
    sink->OnResults(Trapped({0, 1, 2}));
  }
  EXPECT_EQ(behind[0]->Results().size(), 0u);
  EXPECT_EQ(behind[5]->Results().size(), 3u);
  Open();
  for (const auto& sink : behind) sink->AwaitResults(3);
  EXPECT_EQ(behind[0]->Results()[0].backtrace.size(), 2u);
  EXPECT_EQ(behind[5]->Results()[0].backtrace.size(), 0u);
}

TEST_F(TracingSinkTest, ATracerThatGoesLetsAllResultsGo) {
  Start(3);
  const auto sink = SinkOver(behind_);
  sink->Reserve(3);
  sink->OnResults(Trapped({0, 1, 2}));
  sink->OnEnd({}, true, {});
  std::thread closing([this] { tracer_.reset(); });
  Open();
  closing.join();
  EXPECT_EQ(behind_->Results().size(), 3u);
  EXPECT_EQ(behind_->ends(), 1u);
  EXPECT_TRUE(behind_->cancelled());
}

TEST_F(TracingSinkTest, ADrainEndsReplaysThatTakeLong) {
  // Its launches end when they are stopped.
  class EndlessDevice final : public ForwardingDevice {
   public:
    using ForwardingDevice::ForwardingDevice;
    Result<LaunchReport> Await() override {
      stopped_.get_future().wait();
      return Status(Reason::kDeviceLost, "It was ended.");
    }
    void Stop() override {
      std::call_once(once_, [this] { stopped_.set_value(); });
    }

   private:
    std::once_flag once_;
    std::promise<void> stopped_;
  };
  Open();
  Start(2);
  ReplayLimits limits;
  limits.time = std::chrono::milliseconds(1);
  tracer_ = std::make_unique<Tracer>(
      std::make_shared<LoweredModules>(),
      [](const std::function<void()>& on_lost) -> Result<StartedDevice> {
        WB_ASSIGN(StartedDevice real, TracingInterpreter()(on_lost));
        return StartedDevice{std::make_shared<EndlessDevice>(real.device)};
      },
      limits);
  const auto sink = SinkOver(behind_);
  sink->Reserve(2);
  sink->OnResults(Trapped({0, 1}));
  tracer_->Drain();
  const std::vector<InstanceResult> results = behind_->Results();
  ASSERT_EQ(results.size(), 2u);
  for (const InstanceResult& result : results) EXPECT_NE(result.backtrace_error, "");
}

TEST_F(TracingSinkTest, ADeviceWithoutWorkEnds) {
  Open();
  Start(1);
  ReplayLimits limits;
  limits.idle = std::chrono::milliseconds(0);
  std::promise<std::weak_ptr<Device>> started;
  Tracer tracer(
      std::make_shared<LoweredModules>(),
      [&](const std::function<void()>& on_lost) {
        Result<StartedDevice> device = TracingInterpreter()(on_lost);
        started.set_value(device->device);
        return device;
      },
      limits);
  ASSERT_TRUE(tracer.Trace(plan_, trapped_, [](const auto&) {}));
  const std::weak_ptr<Device> device = started.get_future().get();
  while (!device.expired()) std::this_thread::yield();
}

}  // namespace
}  // namespace wb::test
