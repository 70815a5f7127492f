#include "scheduler/control/occupancy_tuner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "tests/scheduler/simulation/simulated_gpu.h"

namespace wb::test {
namespace {

using Surface = SimulatedGpu::Surface;
constexpr uint32_t kEach = SimulatedGpu::kProcessors;

OccupancyTuner Tuner() { return {SimulatedGpu::kProcessors, SimulatedGpu::kThreads}; }

// Best with `best` lanes a processor, where it is `gain` times as fast as with all of them.
Surface Peak(double best, double gain) {
  return [best, gain](uint32_t each, uint32_t) {
    const double away = std::abs(std::log2(each / best)) / std::log2(2048 / best);
    return 1e12 * std::pow(gain, -std::min(away, 4.0));
  };
}
double Flat(uint32_t, uint32_t) { return 1e12; }
double Falling(uint32_t each, uint32_t) { return 1e12 * std::pow(each / 2048.0, 0.6); }
// Slightly worse with fewer, then all at once their memory fits.
double Cliff(uint32_t each, uint32_t) {
  return each > 600 ? 9e11 + each * 5e7 : 2.5e12 * each / 600;
}
// What a histogram of bytes did on an H200, by lanes a processor.
double Histogram(uint32_t each, uint32_t) {
  constexpr std::pair<double, double> kSeen[] = {{64, 8e11},     {128, 1.26e12},  {256, 1.06e12},
                                                 {512, 4.02e11}, {1024, 2.79e11}, {2048, 2.83e11}};
  for (size_t i = 1; i < std::size(kSeen); ++i) {
    const auto& [low, low_rate] = kSeen[i - 1];
    const auto& [high, high_rate] = kSeen[i];
    if (each <= high) return low_rate + (high_rate - low_rate) * (each - low) / (high - low);
  }
  return kSeen[5].second;
}
// What bcrypt did on an H100, whose tables of 4 KiB an instance then fit the first caches.
double Tables(uint32_t each, uint32_t) {
  return each > 256   ? 3.05e11
         : each > 128 ? 3.48e11
         : each > 64  ? 4.6e11
         : each > 32  ? 7.58e11
                      : 1.428e12;
}
double SmallBlocks(uint32_t each, uint32_t block) {
  return Flat(each, block) * (block == 64 ? 1.2 : block == 256 ? 0.9 : 1);
}

TEST(OccupancyTunerTest, AFlatSurfaceKeepsAllLanes) {
  SimulatedGpu gpu(&Flat);
  OccupancyTuner tuner = Tuner();
  EXPECT_EQ(tuner.Next(1000, 1).longest, std::chrono::nanoseconds::max());
  EXPECT_LE(gpu.RunUntilSettled(tuner), 30u);
  EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
  EXPECT_LT(gpu.exploring(), 2.8);
}

TEST(OccupancyTunerTest, FindsThePeakWhereverItIs) {
  for (const uint32_t best : {128u, 192u, 256u, 384u, 512u, 768u, 1024u}) {
    SimulatedGpu gpu(Peak(best, 2.8));
    OccupancyTuner tuner = Tuner();
    EXPECT_LE(gpu.RunUntilSettled(tuner), 45u) << best;
    const Occupancy chosen = gpu.choice()->occupancy;
    EXPECT_EQ(chosen.lanes, best * kEach) << best;
    EXPECT_NEAR(gpu.choice()->gain, 2.8, 0.01);
    EXPECT_EQ(gpu.Wish(tuner), chosen);
    EXPECT_LT(gpu.lost(), 0) << "exploring alone has gained";
  }
}

TEST(OccupancyTunerTest, WhatLosesWithFewerLanesLosesLittleTime) {
  SimulatedGpu gpu(&Falling);
  OccupancyTuner tuner = Tuner();
  EXPECT_LE(gpu.RunUntilSettled(tuner), 30u);
  EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
  EXPECT_LT(gpu.lost(), 0.5);
}

OccupancyTuner TunerOfTwoKernels() {
  return {SimulatedGpu::kProcessors, SimulatedGpu::kThreads, true};
}

TEST(OccupancyTunerTest, TakesTheKernelOfFewRegistersWhereThatIsQuicker) {
  SimulatedGpu gpu(&Flat);
  gpu.few_registers = 1.4;
  OccupancyTuner tuner = TunerOfTwoKernels();
  EXPECT_LE(gpu.RunUntilSettled(tuner), 40u);
  EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{.few_registers = true}));
  EXPECT_NEAR(gpu.choice()->gain, 1.4, 0.01);
  EXPECT_TRUE(gpu.Wish(tuner).few_registers);
  EXPECT_EQ(gpu.Wish(tuner).lanes, 0u);
  for (const double worse : {0.6, 1.0, 1.01}) {
    SimulatedGpu other(&Flat);
    other.few_registers = worse;
    OccupancyTuner keeps = TunerOfTwoKernels();
    EXPECT_LE(other.RunUntilSettled(keeps), 40u);
    EXPECT_EQ(other.choice()->occupancy, Occupancy()) << worse;
  }
}

TEST(OccupancyTunerTest, FewRegistersGoWithTheBestNumberOfLanes) {
  for (const uint32_t abreast : {1u, 3u}) {
    SimulatedGpu gpu(Peak(512, 2.8));
    gpu.few_registers = 1.3;
    gpu.abreast = abreast;
    gpu.lanes = SimulatedGpu::kThreads / abreast / 32 * 32;
    OccupancyTuner tuner = TunerOfTwoKernels();
    gpu.RunUntilSettled(tuner);
    ASSERT_TRUE(gpu.choice());
    EXPECT_TRUE(gpu.choice()->occupancy.few_registers) << abreast;
    EXPECT_GT(gpu.choice()->gain, 2.8) << abreast;
    EXPECT_TRUE(gpu.Wish(tuner).few_registers) << abreast;
  }
}

// Launches side by side have parts of the groups: no launch has one for each processor.
TEST(OccupancyTunerTest, GoesDownToAGroupOfEachProcessor) {
  for (const uint32_t abreast : {1u, 2u, 3u}) {
    SimulatedGpu gpu(&Tables);
    gpu.abreast = abreast;
    gpu.lanes = SimulatedGpu::kThreads / abreast / 32 * 32;
    OccupancyTuner tuner = Tuner();
    gpu.RunUntilSettled(tuner);
    ASSERT_TRUE(gpu.choice()) << abreast;
    EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{32 * kEach, 32})) << abreast;
    const Occupancy part = gpu.Wish(tuner);
    EXPECT_EQ(part.block_threads, 32u) << abreast;
    EXPECT_EQ(part.lanes, (kEach + abreast - 1) / abreast * 32) << abreast;
  }
}

TEST(OccupancyTunerTest, WithoutASecondKernelNoneIsTried) {
  SimulatedGpu gpu(Peak(512, 2.8));
  gpu.few_registers = 2;
  OccupancyTuner tuner = Tuner();
  gpu.RunUntilSettled(tuner);
  EXPECT_FALSE(gpu.choice()->occupancy.few_registers);
}

TEST(OccupancyTunerTest, LooksOneStepBeyondASmallLoss) {
  SimulatedGpu gpu(&Cliff);
  OccupancyTuner tuner = Tuner();
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy.lanes, 512 * kEach);
}

TEST(OccupancyTunerTest, FindsTheBlockToo) {
  SimulatedGpu gpu(&SmallBlocks);
  OccupancyTuner tuner = Tuner();
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{0, 64}));
  EXPECT_NEAR(gpu.choice()->gain, 1.2, 0.01);
}

// Every processor has as many lanes as the others, in whole blocks.
TEST(OccupancyTunerTest, TriesOnlyWhatSpreadsEvenly) {
  SimulatedGpu gpu([](uint32_t each, uint32_t block) {
    EXPECT_TRUE(each == 2048 || each % block == 0) << each << " " << block;
    return Peak(200, 3)(each, block);
  });
  OccupancyTuner tuner = Tuner();
  gpu.RunUntilSettled(tuner);
  EXPECT_GT(gpu.choice()->gain, 2);
}

TEST(OccupancyTunerTest, WithNoiseItEndsNearTheBestAndLosesLittle) {
  const Surface surfaces[] = {&Flat,          &Falling,       &Cliff,      &SmallBlocks,
                              Peak(256, 2.8), Peak(700, 1.3), Peak(160, 6)};
  for (const Surface& surface : surfaces) {
    double best = 0;
    for (uint32_t each = 128; each <= 2048; each += 64) {
      for (const uint32_t block : {64u, 128u, 256u}) {
        if (each % block == 0) best = std::max(best, surface(each, block));
      }
    }
    for (uint32_t seed = 1; seed <= 200; ++seed) {
      SimulatedGpu gpu(surface, 0.02, seed);
      OccupancyTuner tuner = Tuner();
      EXPECT_LE(gpu.RunUntilSettled(tuner), 45u);
      EXPECT_GT(gpu.Rate(gpu.Wish(tuner)), best * 0.85) << seed;
      EXPECT_LT(gpu.lost(), 0.6) << seed;
      EXPECT_LT(gpu.exploring(), 6) << seed;
    }
  }
}

SimulatedGpu ThreeAbreast(Surface surface, double noise = 0, uint32_t seed = 1) {
  SimulatedGpu gpu(std::move(surface), noise, seed);
  gpu.abreast = 3;
  gpu.lanes = SimulatedGpu::kThreads / 3;
  return gpu;
}

// Each launch of them shows what all of them do together.
TEST(OccupancyTunerTest, LaunchesAbreastShareWhatIsChosen) {
  for (const uint32_t best : {96u, 192u, 384u, 960u}) {
    SimulatedGpu gpu = ThreeAbreast(Peak(best, 2.8));
    OccupancyTuner tuner = Tuner();
    EXPECT_LE(gpu.RunUntilSettled(tuner), 130u) << best;
    EXPECT_EQ(gpu.choice()->occupancy.lanes, best * kEach);
    EXPECT_NEAR(gpu.choice()->gain, 2.8, 0.01) << best;
    EXPECT_EQ(gpu.Wish(tuner).lanes, best / 3 * kEach);
    EXPECT_EQ(tuner.Next(SimulatedGpu::kThreads, 1).occupancy.lanes, best * kEach);
    EXPECT_LT(gpu.exploring(), 10) << best;
  }
}

TEST(OccupancyTunerTest, LaunchesAbreastEndNearTheBestWithNoise) {
  for (const Surface& surface : {Surface(&Flat), Surface(&Falling), Surface(&Histogram)}) {
    double best = surface(2046, 128);
    for (uint32_t each = 96; each <= 1024; each += 96) best = std::max(best, surface(each, 128));
    for (uint32_t seed = 1; seed <= 200; ++seed) {
      SimulatedGpu gpu = ThreeAbreast(surface, 0.02, seed);
      gpu.late = 1;
      OccupancyTuner tuner = Tuner();
      EXPECT_LE(gpu.RunUntilSettled(tuner), 130u);
      EXPECT_GT(gpu.Rate(gpu.Wish(tuner)), best * 0.9) << seed;
      EXPECT_LT(gpu.lost(), 2.5) << seed;
    }
  }
}

// Where registers allow for the lanes of one of them only they run one after the other, as a shell
// sort did on an H200. What is of no use is not found to be, whatever makes launches unlike: trials
// that begin, instances longer than they, jobs that begin and end.
TEST(OccupancyTunerTest, LaunchesThatAreUnlikeDoNotLookQuick) {
  const std::pair<bool, double> kinds[] = {{true, 5e4},  {true, 2e5},  {true, 1e6},
                                           {false, 5e4}, {false, 2e5}, {false, 1e6}};
  for (const auto& [in_turn, fuel] : kinds) {
    for (uint32_t launches = 5; launches <= 60; ++launches) {
      SimulatedGpu gpu = ThreeAbreast(&Flat, 0, launches);
      gpu.in_turn = in_turn;
      gpu.instance_fuel = fuel;
      OccupancyTuner tuner = Tuner();
      gpu.RunJobs(tuner, 2000 / launches, launches);
      ASSERT_TRUE(gpu.choice()) << in_turn << " " << fuel << " " << launches;
      EXPECT_EQ(gpu.choice()->occupancy, Occupancy()) << in_turn << " " << fuel << " " << launches;
      EXPECT_LT(gpu.exploring(), gpu.clock() / 8) << in_turn << " " << fuel << " " << launches;
    }
  }
}

TEST(OccupancyTunerTest, LaunchesThatAreUnlikeAreTunedToo) {
  for (const bool in_turn : {false, true}) {
    for (uint32_t launches = 20; launches <= 60; ++launches) {
      SimulatedGpu gpu = ThreeAbreast(Peak(384, 1.2), 0.02, launches);
      gpu.in_turn = in_turn;
      gpu.instance_fuel = 2e5;
      OccupancyTuner tuner = Tuner();
      gpu.RunJobs(tuner, 600 / launches, launches);
      ASSERT_TRUE(gpu.choice()) << in_turn << " " << launches;
      EXPECT_GT(gpu.Rate(gpu.Wish(tuner)), 0.95e12) << in_turn << " " << launches;
    }
  }
}

// Jobs of one launch: none runs beside its like. It ends all the same.
TEST(OccupancyTunerTest, JobsTooShortForATrialEndIt) {
  SimulatedGpu gpu = ThreeAbreast(Peak(256, 2));
  OccupancyTuner tuner = Tuner();
  gpu.RunJobs(tuner, 1, 6);
  ASSERT_TRUE(tuner.explores());
  for (int job = 0; job < 80; ++job) {
    OccupancyLaunch launch;
    launch.round = tuner.Next(gpu.lanes, 3).round;
    launch.lanes = gpu.lanes;
    launch.abreast = 3;
    launch.fuel = 1e10;
    launch.busy = OccupancyTuner::kTrialTime;
    launch.full = launch.alone = true;
    tuner.Record(launch);
  }
  EXPECT_FALSE(tuner.explores());
  EXPECT_FALSE(tuner.TakeChoice());
}

// A part is whole groups on every processor, in blocks that spread evenly.
TEST(OccupancyTunerTest, WhatWasFoundAbreastOrAloneIsSharedEvenly) {
  OccupancyTuner tuner = Tuner();
  tuner.Adopt({128 * kEach, 0});
  EXPECT_EQ(tuner.Next(SimulatedGpu::kThreads, 1).occupancy, (Occupancy{128 * kEach, 0}));
  EXPECT_EQ(tuner.Next(90000, 3).occupancy, (Occupancy{32 * kEach, 32}));
  EXPECT_EQ(tuner.Next(3000, 3).occupancy, Occupancy()) << "all of it, in the usual blocks";
  tuner.Adopt({512 * kEach, 256});
  EXPECT_EQ(tuner.Next(SimulatedGpu::kThreads, 1).occupancy, (Occupancy{512 * kEach, 256}));
  EXPECT_EQ(tuner.Next(90000, 3).occupancy, (Occupancy{160 * kEach, 32}))
      << "no whole blocks of 256";
  tuner.Adopt({32 * kEach, 32});
  EXPECT_EQ(tuner.Next(90000, 3).occupancy, (Occupancy{44 * 32, 32})) << "a third of the groups";
}

TEST(OccupancyTunerTest, ADispatchThatMemoryKeepsSmallIsTunedDownFromThere) {
  SimulatedGpu gpu(Peak(256, 2));
  gpu.lanes = 90000;  // 681 a processor
  OccupancyTuner tuner = Tuner();
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy.lanes, 256 * kEach);
  EXPECT_EQ(tuner.Next(30000, 1).occupancy.lanes, 0u);  // smaller than what was found
}

TEST(OccupancyTunerTest, WhatNeverFillsTheDeviceIsNotExplored) {
  SimulatedGpu gpu(Peak(256, 2));
  gpu.dry = true;
  OccupancyTuner tuner = Tuner();
  gpu.Run(tuner, 60);
  EXPECT_FALSE(tuner.explores());
  EXPECT_EQ(gpu.exploring(), 0);
}

// A trial lasts longer then.
TEST(OccupancyTunerTest, InstancesLongerThanATrialAreTunedToo) {
  SimulatedGpu gpu(Peak(256, 2.8));
  gpu.instance_fuel = 1e6;  // 0.27 s with all lanes
  OccupancyTuner tuner = Tuner();
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy.lanes, 256 * kEach);
  EXPECT_LT(gpu.exploring(), 12);
}

// Lanes become fewer only as instances end: here within a minute. It gives up, and tries again
// after many more launches than before.
TEST(OccupancyTunerTest, LongInstancesCostABoundedTime) {
  SimulatedGpu gpu(&Falling);
  gpu.instance_fuel = 1e12 * 60 / SimulatedGpu::kThreads;
  OccupancyTuner tuner = Tuner();
  gpu.Run(tuner, 600);
  EXPECT_LT(gpu.exploring(), 60);
  EXPECT_LT(gpu.lost(), 25);
  EXPECT_EQ(gpu.Wish(tuner), Occupancy());
}

// A job that begins has no instance yet: there lanes become more, from few.
TEST(OccupancyTunerTest, LongInstancesAreTunedFromTheNextJobOn) {
  for (const uint32_t abreast : {1u, 3u}) {
    SimulatedGpu gpu(&Tables);
    gpu.abreast = abreast;
    gpu.lanes = SimulatedGpu::kThreads / abreast / 32 * 32;
    gpu.instance_fuel = 3e11 * 60 / SimulatedGpu::kThreads;  // a minute with all lanes
    OccupancyTuner tuner = Tuner();
    gpu.RunJobs(tuner, 1, 400);
    ASSERT_FALSE(gpu.choice()) << abreast;
    gpu.RunJobs(tuner, 1, 60);
    ASSERT_TRUE(gpu.choice()) << abreast;
    EXPECT_EQ(gpu.choice()->occupancy, (Occupancy{32 * kEach, 32})) << abreast;
    EXPECT_GT(gpu.choice()->gain, 1.7) << abreast;
  }
}

TEST(OccupancyTunerTest, LongInstancesThatNeedAllLanesKeepThem) {
  for (const Surface& surface : {Surface(&Falling), Surface(&Flat)}) {
    SimulatedGpu gpu(surface);
    gpu.instance_fuel = 1e12 * 9 / SimulatedGpu::kThreads;
    OccupancyTuner tuner = Tuner();
    gpu.RunJobs(tuner, 1, 400);
    const double lost = gpu.lost();
    gpu.RunJobs(tuner, 1, 60);
    ASSERT_TRUE(gpu.choice());
    EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
    EXPECT_LT(gpu.lost() - lost, 1.5);
  }
}

// The queue does not hold: nothing can be seen, and few lanes are not kept for long.
TEST(OccupancyTunerTest, LongInstancesOfASmallJobHaveAllLanesSoon) {
  SimulatedGpu gpu(&Falling);
  gpu.instance_fuel = 1e12 * 9 / SimulatedGpu::kThreads;
  OccupancyTuner tuner = Tuner();
  gpu.RunJobs(tuner, 1, 400);
  const double lost = gpu.lost();
  gpu.dry = true;
  gpu.RunJobs(tuner, 1, 20);
  EXPECT_FALSE(tuner.explores());
  EXPECT_FALSE(gpu.choice());
  EXPECT_LT(gpu.lost() - lost, 1.5);
  EXPECT_EQ(gpu.Wish(tuner), Occupancy());
}

TEST(OccupancyTunerTest, LooksAgainWhenTheRateFallsByMuchAndNotForever) {
  SimulatedGpu gpu(Peak(256, 2.8));
  OccupancyTuner tuner = Tuner();
  gpu.RunUntilSettled(tuner);
  gpu.Run(tuner, 60);
  EXPECT_FALSE(tuner.explores());
  gpu.set_surface([](uint32_t each, uint32_t) { return Falling(each, 0); });  // another phase
  gpu.RunUntilSettled(tuner);
  EXPECT_EQ(gpu.choice()->occupancy, Occupancy());
  // A guest that keeps changing: the share of time that exploring takes falls.
  const double before = gpu.exploring();
  for (int phase = 0; phase < 200; ++phase) {
    gpu.set_surface(
        [phase](uint32_t each, uint32_t) { return Falling(each, 0) * (phase % 2 ? 1 : 0.3); });
    gpu.Run(tuner, 10);
  }
  EXPECT_LT(gpu.exploring() - before, 15);
}

TEST(OccupancyTunerTest, WhatWasRememberedIsUsedAtOnceAndNotExplored) {
  SimulatedGpu gpu(Peak(256, 2.8));
  OccupancyTuner tuner = Tuner();
  tuner.Adopt({512 * kEach, 64});
  EXPECT_EQ(gpu.Wish(tuner), (Occupancy{512 * kEach, 64}));
  gpu.Run(tuner, 60);
  EXPECT_EQ(gpu.exploring(), 0);
  EXPECT_FALSE(tuner.TakeChoice());
}

}  // namespace
}  // namespace wb::test
