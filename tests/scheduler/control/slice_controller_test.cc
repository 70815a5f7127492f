// Bursts end at their time: alone, and in a simulation of jobs that make it hard.

#include "scheduler/control/slice_controller.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "tests/scheduler/simulation/simulated_work.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr uint32_t kAnyQuantum = 1u << 20;

TEST(SliceControllerTest, BeginsCarefullyAndGrows) {
  SliceController controller({});
  Slice slice = controller.Next(500ms, kAnyQuantum);
  EXPECT_EQ(slice.max_duration, 500ms);
  EXPECT_EQ(slice.fuel, SliceController::kWholeFuel);
  EXPECT_EQ(slice.quantum, SliceController::kFirstQuantum);
  for (int i = 0; i < 10; ++i) {
    slice = controller.Next(500ms, kAnyQuantum);
    controller.Record(slice, slice.max_duration + 100us);
  }
  EXPECT_EQ(slice.quantum, kAnyQuantum);
  EXPECT_EQ(controller.Next(500ms, 30'000).quantum, 30'000u);
}

TEST(SliceControllerTest, AimsAsMuchEarlierAsLaunchesAreLate) {
  SliceController controller({});
  for (int i = 0; i < 40; ++i) {
    controller.Record(controller.Next(500ms, kAnyQuantum),
                      controller.Next(500ms, kAnyQuantum).max_duration + 4ms);
  }
  EXPECT_NEAR(static_cast<double>(controller.Next(500ms, kAnyQuantum).max_duration.count()), 496e6,
              1e6);
  // Never at nothing.
  EXPECT_GE(controller.Next(2ms, kAnyQuantum).max_duration, 500us);
}

TEST(SliceControllerTest, LateLaunchesGetShorterQuanta) {
  SliceController controller({});
  Slice slice = controller.Next(500ms, kAnyQuantum);
  controller.Record(slice, slice.max_duration + 120ms);  // 458 ns per fuel
  EXPECT_EQ(controller.Next(500ms, kAnyQuantum).quantum, SliceController::kShortestQuantum);
  slice = controller.Next(500ms, kAnyQuantum);
  controller.Record(slice, 20ms);  // ended by itself: says nothing
  EXPECT_EQ(controller.Next(500ms, kAnyQuantum).quantum, SliceController::kShortestQuantum);
}

TEST(SliceControllerTest, FuelAloneIsGivenInGrowingSlices) {
  SliceController controller({500ms, 20ms, false});
  Slice slice = controller.Next(500ms, kAnyQuantum);
  EXPECT_EQ(slice.fuel, SliceController::kFirstFuel);
  nanoseconds longest{};
  for (int i = 0; i < 40; ++i) {
    slice = controller.Next(500ms, kAnyQuantum);
    const nanoseconds took(slice.fuel * 25);
    longest = std::max(longest, took);
    controller.Record(slice, took);
  }
  EXPECT_LE(longest, 20ms);
  EXPECT_GE(longest, 12ms);
  EXPECT_LE(controller.Next(1ms, kAnyQuantum).fuel * 25, 1'000'000u);
}

// Overshoots of bursts, sorted, as shares of the burst.
struct Bursts {
  std::vector<double> over;
  double mean = 0;  // length over what was wanted
  double launches = 0;

  double Quantile(double q) const {
    return over[std::min(over.size() - 1,
                         static_cast<size_t>(q * static_cast<double>(over.size())))];
  }
};

Bursts Simulate(const WorkShape& work, const BurstShape& shape, uint32_t seeds) {
  Bursts bursts;
  const double whole = static_cast<double>(shape.burst.count());
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SimulatedWork job(work, seed);
    SliceController controller(shape);
    for (int burst = 0; burst < 200; ++burst) {
      nanoseconds left = shape.burst;
      while (left > shape.burst / 100) {
        const Slice slice = controller.Next(left, kAnyQuantum);
        const nanoseconds took = job.Launch(slice, shape.stop_word);
        controller.Record(slice, took);
        left -= took;
        bursts.launches += 1;
      }
      bursts.over.push_back(static_cast<double>(-left.count()) / whole);
      bursts.mean += 1 - static_cast<double>(left.count()) / whole;
    }
  }
  std::sort(bursts.over.begin(), bursts.over.end());
  bursts.mean /= static_cast<double>(bursts.over.size());
  bursts.launches /= static_cast<double>(bursts.over.size());
  return bursts;
}

struct Case {
  const char* name;
  WorkShape work;
};

std::vector<Case> Cases() {
  WorkShape uniform;
  WorkShape ragged;
  ragged.ragged = true;
  WorkShape adversarial;
  adversarial.dearer = 50;
  adversarial.phase_fuel = 2e7;
  adversarial.length = 1e9;
  WorkShape slow_turns = adversarial;
  slow_turns.phase_fuel = 3e8;
  slow_turns.ragged = true;
  WorkShape processors = adversarial;
  processors.cost = 0.5;
  processors.phase_fuel = 5e8;
  return {{"uniform", uniform},
          {"ragged", ragged},
          {"adversarial", adversarial},
          {"slow turns", slow_turns},
          {"processors", processors}};
}

class OvershootTest : public ::testing::TestWithParam<bool> {};

TEST_P(OvershootTest, OfHalfASecondIsAtMostFivePercentInNinetyNineOfAHundred) {
  const bool stop_word = GetParam();
  const BurstShape shape{500ms, stop_word ? 500ms : 20ms, stop_word};
  for (const Case& one : Cases()) {
    const Bursts bursts = Simulate(one.work, shape, 40);
    std::cout << one.name << ": overshoot p50 " << 100 * bursts.Quantile(0.5) << " % p99 "
              << 100 * bursts.Quantile(0.99) << " % most " << 100 * bursts.over.back()
              << " %, mean length " << 100 * bursts.mean << " %, " << bursts.launches
              << " launches a burst\n";
    EXPECT_LE(bursts.Quantile(0.99), 0.05) << one.name;
    EXPECT_GE(bursts.mean, 0.9) << one.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, OvershootTest, ::testing::Bool(), [](const auto& device) {
  return device.param ? "WithAStopWord" : "WithFuelAlone";
});

}  // namespace
}  // namespace wb::test
