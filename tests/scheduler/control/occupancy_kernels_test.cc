// Which kernel a search ends with, where a pipeline has several.

#include <gtest/gtest.h>

#include "scheduler/control/occupancy_tuner.h"
#include "tests/scheduler/simulation/gpu_surfaces.h"
#include "tests/scheduler/simulation/simulated_gpu.h"

namespace wb::test {
namespace {

TEST(OccupancyKernelsTest, TakesTheKernelOfFewRegistersWhereThatIsQuicker) {
  SimulatedGpu gpu(&FlatSurface);
  gpu.few_registers = 1.4;
  OccupancyTuner tuner = SimulatedGpu::TunerOf({.few_registers = true});
  EXPECT_LE(gpu.RunUntilSettled(tuner), 40u);
  EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{.few_registers = true}));
  EXPECT_NEAR(gpu.choice()->gain, 1.4, 0.01);
  EXPECT_TRUE(gpu.Wish(tuner).few_registers);
  EXPECT_EQ(gpu.Wish(tuner).lanes, 0u);
  for (const double worse : {0.6, 1.0, 1.01}) {
    SimulatedGpu other(&FlatSurface);
    other.few_registers = worse;
    OccupancyTuner keeps = SimulatedGpu::TunerOf({.few_registers = true});
    EXPECT_LE(other.RunUntilSettled(keeps), 40u);
    EXPECT_EQ(other.choice()->occupancy, Occupancy()) << worse;
  }
}

TEST(OccupancyKernelsTest, FewRegistersGoWithTheBestNumberOfLanes) {
  for (const uint32_t abreast : {1u, 3u}) {
    SimulatedGpu gpu(PeakSurface(512, 2.8));
    gpu.few_registers = 1.3;
    gpu.abreast = abreast;
    gpu.lanes = SimulatedGpu::kThreads / abreast / 32 * 32;
    OccupancyTuner tuner = SimulatedGpu::TunerOf({.few_registers = true});
    gpu.RunUntilSettled(tuner);
    ASSERT_TRUE(gpu.choice());
    EXPECT_TRUE(gpu.choice()->occupancy.few_registers) << abreast;
    EXPECT_GT(gpu.choice()->gain, 2.8) << abreast;
    EXPECT_TRUE(gpu.Wish(tuner).few_registers) << abreast;
  }
}

TEST(OccupancyKernelsTest, TakesATiledKernelWhereThatIsQuicker) {
  for (const uint32_t abreast : {1u, 3u}) {
    for (const double few_registers : {0.8, 1.2}) {
      SimulatedGpu gpu(PeakSurface(512, 2.8));
      gpu.tiled = 1.5;
      gpu.few_registers = few_registers;
      gpu.abreast = abreast;
      gpu.lanes = SimulatedGpu::kThreads / abreast / 32 * 32;
      OccupancyTuner tuner = SimulatedGpu::TunerOf({.few_registers = true, .tiled = true});
      gpu.RunUntilSettled(tuner);
      ASSERT_TRUE(gpu.choice());
      EXPECT_TRUE(gpu.choice()->occupancy.tiled) << abreast;
      EXPECT_EQ(gpu.choice()->occupancy.few_registers, few_registers > 1) << abreast;
      EXPECT_GT(gpu.choice()->gain, 2.8 * 1.3) << abreast;
      EXPECT_TRUE(gpu.Wish(tuner).tiled) << abreast;
    }
  }
}

// The number of registers that is best with tiles may be the other one.
TEST(OccupancyKernelsTest, ATiledKernelIsTriedWithBothNumbersOfRegisters) {
  SimulatedGpu gpu(&FlatSurface);
  gpu.few_registers = 0.9;
  gpu.tiled = 1.2;
  gpu.tiled_with_few = 1.6;
  OccupancyTuner tuner = SimulatedGpu::TunerOf({.few_registers = true, .tiled = true});
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{.few_registers = true, .tiled = true}));
}

TEST(OccupancyKernelsTest, ATiledKernelThatLosesIsTriedOnce) {
  for (const double tiled : {0.5, 1.0}) {
    SimulatedGpu gpu(&FlatSurface);
    gpu.tiled = tiled;
    OccupancyTuner tuner = SimulatedGpu::TunerOf({.few_registers = true, .tiled = true});
    EXPECT_LE(gpu.RunUntilSettled(tuner), 40u);
    EXPECT_EQ(gpu.choice()->occupancy, Occupancy()) << tiled;
    EXPECT_GT(gpu.tiled_launches(), 0u) << tiled;
    // One more is begun before the last of the trial has ended.
    EXPECT_LE(gpu.tiled_launches(), OccupancyTrial::kLaunches + 1) << tiled;
  }
  SimulatedGpu gpu(&FlatSurface);
  gpu.tiled = 2;
  OccupancyTuner without = SimulatedGpu::TunerOf({.few_registers = true});
  gpu.RunUntilSettled(without);
  EXPECT_EQ(gpu.tiled_launches(), 0u);
}

TEST(OccupancyKernelsTest, WithoutASecondKernelNoneIsTried) {
  SimulatedGpu gpu(PeakSurface(512, 2.8));
  gpu.few_registers = 2;
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunUntilSettled(tuner);
  EXPECT_FALSE(gpu.choice()->occupancy.few_registers);
}

OccupancyTuner TunerOfAllKernels() {
  return SimulatedGpu::TunerOf({.few_registers = true, .tiled = true, .hot = true});
}

TEST(OccupancyKernelsTest, TakesTheHotKernelWhereItIsQuickest) {
  for (const double tiled : {0.7, 1.5}) {
    SimulatedGpu gpu(&FlatSurface);
    gpu.tiled = tiled;
    gpu.hot = 3;
    OccupancyTuner tuner = TunerOfAllKernels();
    gpu.RunUntilSettled(tuner);
    ASSERT_TRUE(gpu.choice());
    EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{.hot = true})) << tiled;
    EXPECT_GT(gpu.choice()->gain, 2.8) << tiled;
    EXPECT_TRUE(gpu.Wish(tuner).hot) << tiled;
  }
}

TEST(OccupancyKernelsTest, AnotherKernelThatIsQuickerStays) {
  SimulatedGpu gpu(&FlatSurface);
  gpu.tiled = 2;
  gpu.hot = 1.5;
  OccupancyTuner tuner = TunerOfAllKernels();
  gpu.RunUntilSettled(tuner);
  ASSERT_TRUE(gpu.choice());
  EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{.tiled = true}));
}

TEST(OccupancyKernelsTest, AHotKernelThatLosesLeavesAllAsItWas) {
  SimulatedGpu gpu(&FlatSurface);
  gpu.hot = 0.3;
  OccupancyTuner tuner = TunerOfAllKernels();
  EXPECT_LE(gpu.RunUntilSettled(tuner), 40u);
  EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
}

}  // namespace
}  // namespace wb::test
