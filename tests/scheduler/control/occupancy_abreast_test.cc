// Searches with launches side by side, which share what is chosen.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "scheduler/control/occupancy_tuner.h"
#include "tests/scheduler/simulation/gpu_surfaces.h"
#include "tests/scheduler/simulation/simulated_gpu.h"

namespace wb::test {
namespace {

SimulatedGpu ThreeAbreast(SimulatedGpu::Surface surface, double noise = 0, uint32_t seed = 1) {
  SimulatedGpu gpu(std::move(surface), noise, seed);
  gpu.abreast = 3;
  gpu.lanes = SimulatedGpu::kThreads / 3;
  return gpu;
}

// Each launch of them shows what all of them do together.
TEST(OccupancyAbreastTest, LaunchesAbreastShareWhatIsChosen) {
  for (const uint32_t best : {96u, 192u, 384u, 960u}) {
    SimulatedGpu gpu = ThreeAbreast(PeakSurface(best, 2.8));
    OccupancyTuner tuner = SimulatedGpu::TunerOf();
    EXPECT_LE(gpu.RunUntilSettled(tuner), 130u) << best;
    EXPECT_EQ(gpu.choice()->occupancy.lanes, best * SimulatedGpu::kProcessors);
    EXPECT_NEAR(gpu.choice()->gain, 2.8, 0.01) << best;
    EXPECT_EQ(gpu.Wish(tuner).lanes, best / 3 * SimulatedGpu::kProcessors);
    EXPECT_EQ(tuner.Next(SimulatedGpu::kThreads, 1).occupancy.lanes,
              best * SimulatedGpu::kProcessors);
    EXPECT_LT(gpu.exploring(), 10) << best;
  }
}

TEST(OccupancyAbreastTest, LaunchesAbreastEndNearTheBestWithNoise) {
  for (const SimulatedGpu::Surface& surface :
       {SimulatedGpu::Surface(&FlatSurface), SimulatedGpu::Surface(&FallingSurface),
        SimulatedGpu::Surface(&HistogramSurface)}) {
    double best = surface(2046, 128);
    for (uint32_t each = 96; each <= 1024; each += 96) best = std::max(best, surface(each, 128));
    for (uint32_t seed = 1; seed <= 200; ++seed) {
      SimulatedGpu gpu = ThreeAbreast(surface, 0.02, seed);
      gpu.late = 1;
      OccupancyTuner tuner = SimulatedGpu::TunerOf();
      EXPECT_LE(gpu.RunUntilSettled(tuner), 130u);
      EXPECT_GT(gpu.Rate(gpu.Wish(tuner)), best * 0.9) << seed;
      EXPECT_LT(gpu.lost(), 2.5) << seed;
    }
  }
}

// Launches side by side have parts of the groups: no launch has one for each processor.
TEST(OccupancyAbreastTest, GoesDownToAGroupOfEachProcessor) {
  for (const uint32_t abreast : {1u, 2u, 3u}) {
    SimulatedGpu gpu(&TablesSurface);
    gpu.abreast = abreast;
    gpu.lanes = SimulatedGpu::kThreads / abreast / 32 * 32;
    OccupancyTuner tuner = SimulatedGpu::TunerOf();
    gpu.RunUntilSettled(tuner);
    ASSERT_TRUE(gpu.choice()) << abreast;
    EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{32 * SimulatedGpu::kProcessors, 32})) << abreast;
    const Occupancy part = gpu.Wish(tuner);
    EXPECT_EQ(part.block_threads, 32u) << abreast;
    EXPECT_EQ(part.lanes, (SimulatedGpu::kProcessors + abreast - 1) / abreast * 32) << abreast;
  }
}

// Where registers allow for the lanes of one of them only they run one after the other, as a shell
// sort did on an H200. What is of no use is not found to be, whatever makes launches unlike: trials
// that begin, instances longer than they, jobs that begin and end.
TEST(OccupancyAbreastTest, LaunchesThatAreUnlikeDoNotLookQuick) {
  const std::pair<bool, double> kinds[] = {{true, 5e4},  {true, 2e5},  {true, 1e6},
                                           {false, 5e4}, {false, 2e5}, {false, 1e6}};
  for (const auto& [in_turn, fuel] : kinds) {
    for (uint32_t launches = 5; launches <= 60; ++launches) {
      SimulatedGpu gpu = ThreeAbreast(&FlatSurface, 0, launches);
      gpu.in_turn = in_turn;
      gpu.instance_fuel = fuel;
      OccupancyTuner tuner = SimulatedGpu::TunerOf();
      gpu.RunJobs(tuner, 2000 / launches, launches);
      ASSERT_TRUE(gpu.choice()) << in_turn << " " << fuel << " " << launches;
      EXPECT_EQ(gpu.choice()->occupancy, Occupancy()) << in_turn << " " << fuel << " " << launches;
      EXPECT_LT(gpu.exploring(), gpu.clock() / 8) << in_turn << " " << fuel << " " << launches;
    }
  }
}

TEST(OccupancyAbreastTest, LaunchesThatAreUnlikeAreTunedToo) {
  for (const bool in_turn : {false, true}) {
    for (uint32_t launches = 20; launches <= 60; ++launches) {
      SimulatedGpu gpu = ThreeAbreast(PeakSurface(384, 1.2), 0.02, launches);
      gpu.in_turn = in_turn;
      gpu.instance_fuel = 2e5;
      OccupancyTuner tuner = SimulatedGpu::TunerOf();
      gpu.RunJobs(tuner, 600 / launches, launches);
      ASSERT_TRUE(gpu.choice()) << in_turn << " " << launches;
      EXPECT_GT(gpu.Rate(gpu.Wish(tuner)), 0.95e12) << in_turn << " " << launches;
    }
  }
}

// Jobs of one launch: none runs beside its like. It ends all the same.
TEST(OccupancyAbreastTest, JobsTooShortForATrialEndIt) {
  SimulatedGpu gpu = ThreeAbreast(PeakSurface(256, 2));
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  gpu.RunJobs(tuner, 1, 6);
  ASSERT_TRUE(tuner.explores());
  for (int job = 0; job < 80; ++job) {
    OccupancyLaunch launch;
    launch.round = tuner.Next(gpu.lanes, 3).round;
    launch.lanes = gpu.lanes;
    launch.abreast = 3;
    launch.fuel = 1e10;
    launch.busy = OccupancyTrial::kTime;
    launch.full = launch.alone = true;
    tuner.Record(launch);
  }
  EXPECT_FALSE(tuner.explores());
  EXPECT_FALSE(tuner.TakeChoice());
}

// A part is whole groups on every processor, in blocks that spread evenly.
TEST(OccupancyAbreastTest, WhatWasFoundAbreastOrAloneIsSharedEvenly) {
  OccupancyTuner tuner = SimulatedGpu::TunerOf();
  tuner.Adopt({128 * SimulatedGpu::kProcessors, 0});
  EXPECT_EQ(tuner.Next(SimulatedGpu::kThreads, 1).occupancy,
            (Occupancy{128 * SimulatedGpu::kProcessors, 0}));
  EXPECT_EQ(tuner.Next(90000, 3).occupancy, (Occupancy{32 * SimulatedGpu::kProcessors, 32}));
  EXPECT_EQ(tuner.Next(3000, 3).occupancy, Occupancy()) << "all of it, in the usual blocks";
  tuner.Adopt({512 * SimulatedGpu::kProcessors, 256});
  EXPECT_EQ(tuner.Next(SimulatedGpu::kThreads, 1).occupancy,
            (Occupancy{512 * SimulatedGpu::kProcessors, 256}));
  EXPECT_EQ(tuner.Next(90000, 3).occupancy, (Occupancy{160 * SimulatedGpu::kProcessors, 32}))
      << "no whole blocks of 256";
  tuner.Adopt({32 * SimulatedGpu::kProcessors, 32});
  EXPECT_EQ(tuner.Next(90000, 3).occupancy, (Occupancy{44 * 32, 32})) << "a third of the groups";
}

}  // namespace
}  // namespace wb::test
