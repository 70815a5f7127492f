// What a search ends with where launches run alone and instances are short, and what it costs.

#include <gtest/gtest.h>

#include <algorithm>

#include "scheduler/control/occupancy_tuner.h"
#include "tests/scheduler/simulation/gpu_surfaces.h"
#include "tests/scheduler/simulation/simulated_gpu.h"

namespace wb::test {
namespace {

TEST(OccupancyTunerTest, AFlatSurfaceKeepsAllLanes) {
  SimulatedGpu gpu(&FlatSurface);
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  EXPECT_EQ(tuner.Next(1000, 1).longest, std::chrono::nanoseconds::max());
  EXPECT_LE(gpu.RunUntilSettled(tuner), 30u);
  EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
  EXPECT_LT(gpu.exploring(), 2.8);
}

TEST(OccupancyTunerTest, FindsThePeakWhereverItIs) {
  for (const uint32_t best : {128u, 192u, 256u, 384u, 512u, 768u, 1024u}) {
    SimulatedGpu gpu(PeakSurface(best, 2.8));
    OccupancyTuner tuner = SimulatedGpu::TunerOf();
    EXPECT_LE(gpu.RunUntilSettled(tuner), 45u) << best;
    const Occupancy chosen = gpu.choice()->occupancy;
    EXPECT_EQ(chosen.lanes, best * SimulatedGpu::kProcessors) << best;
    EXPECT_NEAR(gpu.choice()->gain, 2.8, 0.01);
    EXPECT_EQ(gpu.Wish(tuner), chosen);
    EXPECT_LT(gpu.lost(), 0) << "exploring alone has gained";
  }
}

TEST(OccupancyTunerTest, WhatLosesWithFewerLanesLosesLittleTime) {
  SimulatedGpu gpu(&FallingSurface);
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  EXPECT_LE(gpu.RunUntilSettled(tuner), 30u);
  EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
  EXPECT_LT(gpu.lost(), 0.5);
}

TEST(OccupancyTunerTest, LooksOneStepBeyondASmallLoss) {
  SimulatedGpu gpu(&CliffSurface);
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy.lanes, 512 * SimulatedGpu::kProcessors);
}

TEST(OccupancyTunerTest, FindsTheBlockToo) {
  SimulatedGpu gpu(&SmallBlocksSurface);
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{0, 64}));
  EXPECT_NEAR(gpu.choice()->gain, 1.2, 0.01);
}

// Every processor has as many lanes as the others, in whole blocks.
TEST(OccupancyTunerTest, TriesOnlyWhatSpreadsEvenly) {
  SimulatedGpu gpu([](uint32_t each, uint32_t block) {
    EXPECT_TRUE(each == 2048 || each % block == 0) << each << " " << block;
    return PeakSurface(200, 3)(each, block);
  });
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunUntilSettled(tuner);
  EXPECT_GT(gpu.choice()->gain, 2);
}

TEST(OccupancyTunerTest, WithNoiseItEndsNearTheBestAndLosesLittle) {
  const SimulatedGpu::Surface surfaces[] = {
      &FlatSurface,          &FallingSurface,       &CliffSurface,      &SmallBlocksSurface,
      PeakSurface(256, 2.8), PeakSurface(700, 1.3), PeakSurface(160, 6)};
  for (const SimulatedGpu::Surface& surface : surfaces) {
    double best = 0;
    for (uint32_t each = 128; each <= 2048; each += 64) {
      for (const uint32_t block : {64u, 128u, 256u}) {
        if (each % block == 0) best = std::max(best, surface(each, block));
      }
    }
    for (uint32_t seed = 1; seed <= 200; ++seed) {
      SimulatedGpu gpu(surface, 0.02, seed);
      OccupancyTuner tuner = SimulatedGpu::TunerOf();
      EXPECT_LE(gpu.RunUntilSettled(tuner), 45u);
      EXPECT_GT(gpu.Rate(gpu.Wish(tuner)), best * 0.85) << seed;
      EXPECT_LT(gpu.lost(), 0.6) << seed;
      EXPECT_LT(gpu.exploring(), 6) << seed;
    }
  }
}

TEST(OccupancyTunerTest, ADispatchThatMemoryKeepsSmallIsTunedDownFromThere) {
  SimulatedGpu gpu(PeakSurface(256, 2));
  gpu.lanes = 90000;  // 681 a processor
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy.lanes, 256 * SimulatedGpu::kProcessors);
  EXPECT_EQ(tuner.Next(30000, 1).occupancy.lanes, 0u);  // smaller than what was found
}

TEST(OccupancyTunerTest, WhatNeverFillsTheDeviceIsNotExplored) {
  SimulatedGpu gpu(PeakSurface(256, 2));
  gpu.dry = true;
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.Run(tuner, 60);
  EXPECT_FALSE(tuner.explores());
  EXPECT_EQ(gpu.exploring(), 0);
}

TEST(OccupancyTunerTest, LooksAgainWhenTheRateFallsByMuchAndNotForever) {
  SimulatedGpu gpu(PeakSurface(256, 2.8));
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunUntilSettled(tuner);
  gpu.Run(tuner, 60);
  EXPECT_FALSE(tuner.explores());
  gpu.set_surface(
      [](uint32_t each, uint32_t) { return FallingSurface(each, 0); });  // another phase
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
  // A guest that keeps changing: the share of time that exploring takes falls.
  const double before = gpu.exploring();
  for (int phase = 0; phase < 200; ++phase) {
    gpu.set_surface([phase](uint32_t each, uint32_t) {
      return FallingSurface(each, 0) * (phase % 2 ? 1 : 0.3);
    });
    gpu.Run(tuner, 10);
  }
  EXPECT_LT(gpu.exploring() - before, 15);
}

TEST(OccupancyTunerTest, WhatWasRememberedIsUsedAtOnceAndNotExplored) {
  SimulatedGpu gpu(PeakSurface(256, 2.8));
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  tuner.Adopt({512 * SimulatedGpu::kProcessors, 64});
  EXPECT_EQ(gpu.Wish(tuner), (Occupancy{512 * SimulatedGpu::kProcessors, 64}));
  gpu.Run(tuner, 60);
  EXPECT_EQ(gpu.exploring(), 0);
  EXPECT_FALSE(tuner.TakeChoice());
}

}  // namespace
}  // namespace wb::test
