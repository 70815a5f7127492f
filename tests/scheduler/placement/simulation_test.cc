// Devices of random speed that share a job, against the best one of them alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "tests/scheduler/placement/shared_job.h"

namespace wb::test {
namespace {

struct Drawn {
  std::vector<SimulatedDevice> devices;
  std::vector<double> lengths;
};

// `error`: by how much the shares misjudge rates, either way. `ragged`: exponential lengths.
Drawn Draw(uint64_t seed, double error, bool ragged) {
  std::mt19937_64 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  Drawn drawn;
  for (int i = 0; i < 2; ++i) {
    const auto lanes = static_cast<uint32_t>(std::exp(between(0, 6)));
    drawn.devices.push_back({lanes, std::exp(between(-4, 2)), between(0, 2),
                             std::exp(between(-1, 1) * std::log(1 + error))});
  }
  drawn.lengths.assign(static_cast<size_t>(std::exp(between(0, 8))), 1);
  if (ragged) {
    for (double& length : drawn.lengths) length = -std::log(between(1e-9, 1));
  }
  return drawn;
}

// Of jobs with seeds from 1 up: time together over the best device alone, ascending.
std::vector<double> Ratios(uint64_t jobs, double error, bool ragged) {
  std::vector<double> ratios;
  for (uint64_t seed = 1; seed <= jobs; ++seed) {
    const Drawn drawn = Draw(seed, error, ragged);
    double best = 1e300;
    for (const SimulatedDevice& device : drawn.devices) {
      best = std::min(best, RunShared({device}, drawn.lengths).seconds);
    }
    const SharedJobEnd both = RunShared(drawn.devices, drawn.lengths);
    EXPECT_EQ(both.ended, drawn.lengths.size()) << seed;
    EXPECT_EQ(std::accumulate(both.by_device.begin(), both.by_device.end(), uint64_t{0}),
              drawn.lengths.size());
    ratios.push_back(both.seconds / best);
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("time together over the best one alone: median %.3f, p95 %.3f, at most %.3f\n",
              ratios[jobs / 2], ratios[jobs * 19 / 20], ratios.back());
  return ratios;
}

TEST(PlacementSimulationTest, TwoDevicesAreNeverSlowerThanTheBestOne) {
  EXPECT_LE(Ratios(400, 0, false).back(), 1.1);
}

TEST(PlacementSimulationTest, RatesMisjudgedByAQuarterCostLittle) {
  EXPECT_LE(Ratios(400, 0.25, false).back(), 1.2);
}

// Which instance is long is not known beforehand: here luck is on both sides.
TEST(PlacementSimulationTest, RaggedLengthsCostLittleInNearlyAllJobs) {
  const std::vector<double> ratios = Ratios(400, 0.25, true);
  EXPECT_LE(ratios[200], 1);
  EXPECT_LE(ratios[360], 1.25);
}

TEST(PlacementSimulationTest, EqualDevicesHalveTheTime) {
  const SimulatedDevice device{16, 0.1, 0, 1};
  const std::vector<double> lengths(10000, 1);
  const SharedJobEnd both = RunShared({device, device}, lengths);
  EXPECT_NEAR(both.seconds / RunShared({device}, lengths).seconds, 0.5, 0.01);
  EXPECT_NEAR(static_cast<double>(both.by_device[0]), 5000, 100);
}

}  // namespace
}  // namespace wb::test
