// Searches where instances last as long as a trial and longer, so that lanes become fewer only
// slowly.

#include <gtest/gtest.h>

#include "scheduler/control/occupancy_tuner.h"
#include "tests/scheduler/simulation/gpu_surfaces.h"
#include "tests/scheduler/simulation/simulated_gpu.h"

namespace wb::test {
namespace {

// A trial lasts longer then.
TEST(OccupancyLongInstancesTest, InstancesLongerThanATrialAreTunedToo) {
  SimulatedGpu gpu(PeakSurface(256, 2.8));
  gpu.instance_fuel = 1e6;  // 0.27 s with all lanes
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy.lanes, 256 * SimulatedGpu::kProcessors);
  EXPECT_LT(gpu.exploring(), 12);
}

// Lanes become fewer only as instances end: here within a minute. It gives up, and tries again
// after many more launches than before.
TEST(OccupancyLongInstancesTest, LongInstancesCostABoundedTime) {
  SimulatedGpu gpu(&FallingSurface);
  gpu.instance_fuel = 1e12 * 60 / SimulatedGpu::kThreads;
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.Run(tuner, 600);
  EXPECT_LT(gpu.exploring(), 60);
  EXPECT_LT(gpu.lost(), 25);
  EXPECT_EQ(gpu.Wish(tuner), Occupancy());
}

// A job that begins has no instance yet: there lanes become more, from few.
TEST(OccupancyLongInstancesTest, LongInstancesAreTunedFromTheNextJobOn) {
  for (const uint32_t abreast : {1u, 3u}) {
    SimulatedGpu gpu(&TablesSurface);
    gpu.abreast = abreast;
    gpu.lanes = SimulatedGpu::kThreads / abreast / 32 * 32;
    gpu.instance_fuel = 3e11 * 60 / SimulatedGpu::kThreads;  // a minute with all lanes
    OccupancyTuner tuner = SimulatedGpu::TunerOf();
    gpu.RunJobs(tuner, 1, 400);
    ASSERT_FALSE(gpu.choice()) << abreast;
    gpu.RunJobs(tuner, 1, 60);
    ASSERT_TRUE(gpu.choice()) << abreast;
    EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{32 * SimulatedGpu::kProcessors, 32})) << abreast;
    EXPECT_GT(gpu.choice()->gain, 1.7) << abreast;
  }
}

TEST(OccupancyLongInstancesTest, KernelsAreTriedBeforeLanesBecomeFewer) {
  SimulatedGpu gpu(&FlatSurface);
  gpu.few_registers = 0.8;
  gpu.tiled = 1.5;
  gpu.tiled_with_few = 1.6;
  gpu.instance_fuel = 1e12 * 9 / SimulatedGpu::kThreads;
  OccupancyTuner tuner = SimulatedGpu::TunerOf({.few_registers = true, .tiled = true});
  gpu.Run(tuner, 4);  // half an instance's time
  EXPECT_TRUE(tuner.explores());
  EXPECT_TRUE(gpu.Wish(tuner).tiled);
  EXPECT_TRUE(gpu.Wish(tuner).few_registers);
  EXPECT_NE(gpu.Wish(tuner).lanes, 0u);
}

// Kernels show at all lanes. The next job is tuned from few lanes on, with the kernel found.
TEST(OccupancyLongInstancesTest, LongInstancesGetTheirKernelInTheJobThatShowsIt) {
  for (const SimulatedGpu::Surface& surface :
       {SimulatedGpu::Surface(&FlatSurface), SimulatedGpu::Surface(&TablesSurface)}) {
    SimulatedGpu gpu(surface);
    gpu.tiled = 1.5;
    gpu.instance_fuel = 1e12 * 9 / SimulatedGpu::kThreads;
    OccupancyTuner tuner = SimulatedGpu::TunerOf({.few_registers = true, .tiled = true});
    gpu.RunJobs(tuner, 1, 400);
    ASSERT_TRUE(gpu.choice());
    EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{.tiled = true}));
    EXPECT_NEAR(gpu.choice()->gain, 1.5, 0.05);
    gpu.RunJobs(tuner, 1, 60);
    EXPECT_TRUE(gpu.choice()->occupancy.tiled);
    EXPECT_TRUE(gpu.Wish(tuner).tiled);
    EXPECT_EQ(gpu.choice()->occupancy.lanes != 0, surface(32, 32) > surface(2048, 128));
  }
}

TEST(OccupancyLongInstancesTest, LongInstancesThatNeedAllLanesKeepThem) {
  for (const SimulatedGpu::Surface& surface :
       {SimulatedGpu::Surface(&FallingSurface), SimulatedGpu::Surface(&FlatSurface)}) {
    SimulatedGpu gpu(surface);
    gpu.instance_fuel = 1e12 * 9 / SimulatedGpu::kThreads;
    OccupancyTuner tuner = SimulatedGpu::TunerOf();
    gpu.RunJobs(tuner, 1, 400);
    const double lost = gpu.lost();
    gpu.RunJobs(tuner, 1, 60);
    ASSERT_TRUE(gpu.choice());
    EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
    EXPECT_LT(gpu.lost() - lost, 1.5);
  }
}

// The queue does not hold: nothing can be seen, and few lanes are not kept for long.
TEST(OccupancyLongInstancesTest, LongInstancesOfASmallJobHaveAllLanesSoon) {
  SimulatedGpu gpu(&FallingSurface);
  gpu.instance_fuel = 1e12 * 9 / SimulatedGpu::kThreads;
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunJobs(tuner, 1, 400);
  const double lost = gpu.lost();
  gpu.dry = true;
  gpu.RunJobs(tuner, 1, 20);
  EXPECT_FALSE(tuner.explores());
  EXPECT_FALSE(gpu.choice());
  EXPECT_LT(gpu.lost() - lost, 1.5);
  EXPECT_EQ(gpu.Wish(tuner), Occupancy());
}

}  // namespace
}  // namespace wb::test
