// Host calls on the cuda device over the fake GPU, and through an engine host: results are those of
// the interpreter, each call comes once, and no instance starts again.

#include <map>
#include <set>

#include "tests/fakes/fake_gpu.h"
#include "tests/scheduler/host_calls/fixture.h"

namespace wb::test {
namespace {

constexpr uint64_t kInstances = 300;

// Counts what became of lanes that came with their state, and how many lanes there are.
class CountingDevice final : public ForwardingDevice {
 public:
  struct Counts {
    uint64_t imported = 0;
    uint64_t refused = 0;
    uint64_t most_lanes = 0;
  };
  CountingDevice(std::shared_ptr<Device> real, Counts& counts)
      : ForwardingDevice(std::move(real)), counts_(counts) {}
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override {
    counts_.most_lanes = std::max<uint64_t>(counts_.most_lanes, shape.lanes);
    return real_->Allocate(pipeline, shape);
  }
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override {
    Result<std::vector<Status>> put = real_->ImportLanes(dispatch, lanes);
    for (const Status& status : put.ok() ? *put : std::vector<Status>(lanes.size())) {
      ++(put.ok() && status.ok() ? counts_.imported : counts_.refused);
    }
    return put;
  }

 private:
  Counts& counts_;
};

class HostCallGpuTest : public HostCallTest {
 protected:
  ~HostCallGpuTest() override { scheduler_.reset(); }  // before the GPU

  // With fewer lanes than there are instances, and memory for a queue.
  void StartGpu() {
    settings_.cuda.burst_instances = 16;
    SchedulerParts parts;
    parts.interpreter = [](const std::function<void()>&) -> Result<StartedDevice> {
      return StartedDevice{CreateInterpreterDevice({})};
    };
    parts.gpus =
        GpuParts::One("cuda", [this](const std::function<void()>&) -> Result<StartedDevice> {
          CudaSettings settings;
          settings.memory_bytes = uint64_t{64} << 20;
          WB_ASSIGN(std::unique_ptr<Device> real, CreateCudaDevice(settings, gpu_.Parts()));
          EXPECT_GT(real->info().seats_per_lane, 1u);
          return StartedDevice{std::make_shared<CountingDevice>(std::move(real), counts_)};
        });
    parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
    parts.clock = &clock_;
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }

  // All results. Calls are answered when all instances have made theirs, so that they all come back
  // at once.
  std::vector<InstanceResult> ResultsAt(Placement placement) {
    JobSpec spec = AskingJob(kInstances);
    spec.placement = placement;
    spec.limits.max_memory_bytes = 65536;
    const SinkRef sink = Submit(std::move(spec));
    std::set<std::pair<uint64_t, uint64_t>> seen;
    for (int round = 0; round < 3; ++round) {
      std::vector<HostCall> calls = AwaitCalls(kInstances);
      std::reverse(calls.begin(), calls.end());
      std::vector<HostAnswer> answers;
      for (const HostCall& call : calls) {
        EXPECT_TRUE(seen.insert({call.instance, call.number}).second) << "asked twice";
        answers.push_back(Next(call));
      }
      EXPECT_TRUE(queue_->Answer(std::move(answers)).ok());
    }
    sink->AwaitEnd();
    return sink->Results();
  }
  static void ExpectSame(const std::vector<InstanceResult>& results,
                         const std::vector<InstanceResult>& wanted) {
    ASSERT_EQ(results.size(), wanted.size());
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(results[i].end, End::kReturned) << results[i].host_error;
      EXPECT_EQ(results[i].steps.at(0).values.at(0), wanted[i].steps.at(0).values.at(0));
      EXPECT_EQ(results[i].fuel, wanted[i].fuel);
      EXPECT_EQ(results[i].attempt, 1u);
    }
  }

  FakeGpu gpu_;
  CountingDevice::Counts counts_;
};

TEST_F(HostCallGpuTest, InstancesComeBackWithTheirStateAndEndAsOnTheInterpreter) {
  StartGpu();
  const std::vector<InstanceResult> wanted = ResultsAt(Placement::kInterpreter);
  for (uint32_t i = 0; i < kInstances; ++i) {
    EXPECT_EQ(wanted.at(i).steps.at(0).values.at(0).words[0], NextOf(i));
  }
  const std::vector<InstanceResult> results = ResultsAt(Placement::kGpu);
  ExpectSame(results, wanted);
  for (const InstanceResult& result : results) EXPECT_EQ(result.device, "cuda0");
  EXPECT_LT(counts_.most_lanes, kInstances);
  EXPECT_EQ(counts_.refused, 0u);
  EXPECT_EQ(counts_.imported, 3 * kInstances);
}

TEST_F(HostCallGpuTest, EngineHostsPassStatesOnAndBack) {
  StartReal();
  const std::vector<InstanceResult> wanted = ResultsAt(Placement::kInterpreter);
  settings_.engine_host_path = WB_ENGINE_HOST;
  settings_.cpu_enabled = false;
  scheduler_ = CreateScheduler(settings_).value();
  ExpectSame(ResultsAt(Placement::kInterpreter), wanted);
}

}  // namespace
}  // namespace wb::test
