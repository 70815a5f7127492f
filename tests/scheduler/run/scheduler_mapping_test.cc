// Jobs whose instances grow far beyond what a GPU has memory for at first, through an engine host
// whose GPU is made of this processor.

#include <gtest/gtest.h>

#include "scheduler/scheduler.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/run/growing_guests.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

class SchedulerMappingTest : public testing::TestWithParam<bool> {
 protected:
  std::vector<InstanceResult> Run(Scheduler& scheduler, Placement placement) {
    JobSpec spec = NumberJob(ModuleOf(kGrowsOften), kInstances);
    spec.placement = placement;
    spec.limits.max_memory_bytes = 16 * 65536;
    auto sink = std::make_shared<RecordingSink>();
    EXPECT_TRUE(scheduler.Submit(next_id_++, std::move(spec), sink).ok());
    sink->AwaitEnd();
    EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
    return sink->Results();
  }
  static constexpr uint64_t kInstances = 100;
  TemporaryFolder folder_;
  JobId next_id_ = 1;
};

TEST_P(SchedulerMappingTest, InstancesEndAsOnTheCpu) {
  SchedulerSettings settings;
  settings.engine_host_path = WB_FAKE_GPU_HOST;
  settings.cache_directory = folder_.path() + "/cache";
  settings.start_on_interpreter = false;
  settings.cuda_enabled = settings.cuda_required = true;
  settings.cuda_maps_memory = GetParam();
  // Half of it, which a dispatch gets, is less than 100 lanes of 16 pages are.
  settings.device_memory_bytes = uint64_t{160} << 20;
  auto scheduler = CreateScheduler(settings);
  ASSERT_TRUE(scheduler.ok()) << scheduler.status().ToString();
  for (const DeviceStatus& device : (*scheduler)->Devices()) {
    const bool maps = GetParam() && device.info.engine == Engine::kCuda;
    EXPECT_EQ(device.info.maps_memory, maps) << device.info.id;
  }
  const std::vector<InstanceResult> wanted = Run(**scheduler, Placement::kCpu);
  const std::vector<InstanceResult> results = Run(**scheduler, Placement::kGpu);
  ASSERT_EQ(wanted.size(), kInstances);
  ASSERT_EQ(results.size(), kInstances);
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].device, "cuda0");
    EXPECT_EQ(results[i].instance, wanted[i].instance);
    EXPECT_EQ(results[i].end, End::kReturned);
    EXPECT_EQ(results[i].fuel, wanted[i].fuel);
    EXPECT_EQ(results[i].attempt, 1u);
    EXPECT_EQ(results[i].steps.at(0).values.at(0), wanted[i].steps.at(0).values.at(0));
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, SchedulerMappingTest, testing::Bool(),
                         [](const auto& maps) { return maps.param ? "Mapped" : "Reserved"; });

}  // namespace
}  // namespace wb::test
