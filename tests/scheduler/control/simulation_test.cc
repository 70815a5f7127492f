// Hours of scheduling under random jobs, heat and faults: what must hold whatever comes. Seeds are
// the test's; a failure names its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/scheduler/simulation/jain.h"
#include "tests/scheduler/simulation/simulated_machine.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kBegin = SimulatedMachine::kBegin;

JobShape BigJob(const std::string& tenant = "") {
  JobShape job;
  job.share.tenant = tenant;
  job.instances = 100'000;  // of 25 s
  job.work.length = 1e9;
  job.work.lanes = 8;
  return job;
}

JobShape SmallJob() {
  JobShape job;
  job.work.length = 1e6;
  job.work.lanes = 1;
  return job;
}

TEST(SimulationTest, HeatStaysWithinItsBounds) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    MachineShape shape;
    shape.limit_watts = 1000;
    SimulatedMachine machine(shape, seed);
    machine.Submit(BigJob());
    machine.RunUntil(kBegin + 2h);
    EXPECT_LE(machine.hottest(), shape.thermal.temp_high + 2) << "seed " << seed;
    EXPECT_GE(machine.hottest(), shape.thermal.temp_high - 1) << "seed " << seed;
    EXPECT_LE(machine.longest_rest(), 60.5) << "seed " << seed;
    EXPECT_GE(machine.worked(), 7200 * 0.5) << "seed " << seed;
  }
}

// Rests after bursts that draw much power keep it from getting hot at all.
TEST(SimulationTest, NearItsPowerLimitItSettlesBelowTheHeat) {
  MachineShape shape;  // 650 of 700 W
  SimulatedMachine machine(shape, 1);
  machine.Submit(BigJob());
  machine.RunUntil(kBegin + 2h);
  EXPECT_GT(machine.hottest(), shape.thermal.temp_low);
  EXPECT_LT(machine.hottest(), shape.thermal.temp_high);
  EXPECT_LE(machine.longest_rest(), 1.1);
}

TEST(SimulationTest, ACoolMachineWorksAllTheTime) {
  MachineShape shape;
  shape.degrees_per_watt = 0.05;  // 58 C
  SimulatedMachine machine(shape, 1);
  machine.Submit(BigJob());
  machine.RunUntil(kBegin + 1h);
  EXPECT_GE(machine.worked(), 3600 * 0.999);
}

TEST(SimulationTest, WithoutAThermometerWorkAndEnergyAreBounded) {
  MachineShape shape;
  shape.thermometer = false;
  SimulatedMachine machine(shape, 1);
  machine.Submit(BigJob());
  machine.RunUntil(kBegin + 1h);
  EXPECT_NEAR(machine.worked(), 1200, 24);  // 500 ms of 1,500 ms
  EXPECT_NEAR(machine.joules(), 1200 * 650 + 2400 * 70, 24 * 650);
  std::vector<double> overshoots = machine.overshoots();
  ASSERT_GE(overshoots.size(), 2000u);
  std::sort(overshoots.begin(), overshoots.end());
  EXPECT_LE(overshoots[overshoots.size() * 99 / 100], 0.05);
}

TEST(SimulationTest, ASmallJobBehindABigOneIsNext) {
  SimulatedMachine machine(MachineShape{}, 3);
  machine.Submit(BigJob());
  for (int i = 1; i <= 50; ++i) {
    machine.RunUntil(kBegin + i * 10s);
    const size_t small = machine.Submit(SmallJob());
    machine.RunUntil(machine.now() + 90s);
    ASSERT_TRUE(machine.job(small).IsEnded());
    EXPECT_LE(machine.job(small).turns_before_first, 1u);
    EXPECT_EQ(machine.job(small).turns, 1u);
  }
}

TEST(SimulationTest, EqualTenantsUnderFloodGetAlikeInAMinuteOfWork) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    MachineShape shape;
    shape.degrees_per_watt = 0.05;
    SimulatedMachine machine(shape, seed);
    std::vector<double> seconds(4);
    for (size_t i = 0; i < 100; ++i) machine.Submit(BigJob(std::to_string(i < 97 ? 0 : i - 96)));
    machine.RunUntil(kBegin + 60s);
    for (size_t i = 0; i < 100; ++i) seconds[i < 97 ? 0 : i - 96] += machine.job(i).seconds;
    EXPECT_GE(Jain(seconds), 0.95) << "seed " << seed;
  }
}

// Under a sanitizer a seed takes four times as long.
#ifdef WB_SANITIZED
constexpr uint64_t kSeeds = 8;
#else
constexpr uint64_t kSeeds = 130;
#endif

// A thousand hours without a sanitizer: jobs of all kinds come and go, the device is lost and
// starts again. Every job has exactly one result of each instance, and no job waits for ever.
TEST(SimulationTest, RandomSchedulesLoseNothingAndStarveNobody) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    MachineShape shape;
    shape.losses_per_hour = 40;
    shape.thermometer = seed % 3 != 0;
    SimulatedMachine machine(shape, seed);
    std::mt19937_64 random(seed * 1000);
    TimePoint next = kBegin;
    const auto arrive = [&](TimePoint now) {
      while (next <= now && now < kBegin + 3h) {
        JobShape job;
        job.share.tenant = std::to_string(random() % 4);
        job.share.priority = static_cast<int32_t>(random() % 5) - 2;
        job.instances = 1 + random() % 200;
        job.work.length = std::pow(10.0, 5 + static_cast<double>(random() % 30) / 10);
        job.work.ragged = random() % 2 == 0;
        job.work.dearer = random() % 4 == 0 ? 50 : 1;
        job.work.phase_fuel = 1e7;
        job.work.lanes = 16;
        machine.Submit(job);
        next += std::chrono::milliseconds(random() % 400'000);
      }
    };
    machine.RunUntil(kBegin + 8h, arrive);
    EXPECT_GT(machine.losses(), 0u);
    for (size_t i = 0; i < machine.jobs(); ++i) {
      const SimulatedJob& job = machine.job(i);
      ASSERT_TRUE(job.IsEnded()) << "seed " << seed << " job " << i;
      ASSERT_TRUE(std::all_of(job.results.begin(), job.results.end(),
                              [](uint8_t count) { return count == 1; }))
          << "seed " << seed << " job " << i;
    }
  }
}

}  // namespace
}  // namespace wb::test
