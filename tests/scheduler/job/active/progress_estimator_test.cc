// Simulated runs: lanes that take instances of lengths that a test draws, looked at after every
// launch as a job's ledger does, with rests and lanes that join.

#include "scheduler/job/active/progress_estimator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace wb::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr double kLaneRate = 1e9;  // fuel a second

double InSeconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

struct SimulatedRun {
  uint64_t instances = 1000;
  uint32_t lanes = 16;
  std::function<double(uint64_t instance)> seconds;  // of an instance on its lane
  nanoseconds launch = 500ms;
  nanoseconds rest = 0ms;
  nanoseconds joins = 0ms;  // when `more` lanes come; 0: never
  uint32_t more = 0;
};

struct Seen {
  double at = 0;
  uint64_t ended = 0;
  JobForecast forecast;
};

struct Simulated {
  std::vector<Seen> seen;
  double end = 0;     // seconds from the first turn
  double launch = 0;  // seconds: the end is seen so late

  // Of the forecasts with a range, the part whose range has the real end.
  double Right() const {
    double ranges = 0, right = 0;
    for (const Seen& one : seen) {
      if (!one.forecast.left) continue;
      ranges += 1;
      right += one.at + InSeconds(one.forecast.left->least) <= end + launch &&
               one.at + InSeconds(one.forecast.left->most) >= end - launch;
    }
    return ranges == 0 ? 0 : right / ranges;
  }
  // The first forecast with a range once this part of the time is over.
  Seen After(double part) const {
    for (const Seen& one : seen) {
      if (one.at >= part * end && one.forecast.left) return one;
    }
    return {};
  }
};

class Simulator {
 public:
  explicit Simulator(const SimulatedRun& run) : run_(run), lanes_(run.lanes) {}

  Simulated Run() {
    estimator_.Start(now_);
    Simulated done;
    done.launch = InSeconds(run_.launch);
    while (ended_ < run_.instances) {
      if (run_.joins > 0ms && now_ - kBegin >= run_.joins && lanes_.size() == run_.lanes) {
        lanes_.resize(run_.lanes + run_.more);
      }
      Launch();
      done.end = InSeconds(now_ - kBegin);
      Look();
      done.seen.push_back({done.end, ended_, estimator_.Forecast()});
      now_ += run_.rest;
    }
    return done;
  }

 private:
  static constexpr TimePoint kBegin{1h};
  struct Lane {
    bool has_instance = false;
    double left = 0;  // seconds
    double used = 0;
  };

  void Launch() {
    for (Lane& lane : lanes_) {
      double time = InSeconds(run_.launch);
      while (time > 0 && (lane.has_instance || next_ < run_.instances)) {
        if (!lane.has_instance) lane = {true, run_.seconds(next_++), 0};
        const double part = std::min(time, lane.left);
        time -= part;
        lane.left -= part;
        lane.used += part;
        if (lane.left <= 0) End(&lane);
      }
    }
    now_ += run_.launch;
  }
  void End(Lane* lane) {
    const double fuel = lane->used * kLaneRate;
    estimator_.RecordEnded(1, static_cast<uint64_t>(fuel), fuel * fuel,
                           static_cast<uint64_t>(fuel));
    *lane = {};
    ++ended_;
  }
  void Look() {
    uint64_t running = 0;
    double used = 0;
    for (const Lane& lane : lanes_) {
      running += lane.has_instance ? 1 : 0;
      used += lane.used;
    }
    estimator_.Record(now_, running, static_cast<uint64_t>(used * kLaneRate),
                      run_.instances - ended_);
  }

  const SimulatedRun run_;
  ProgressEstimator estimator_;
  TimePoint now_ = kBegin;
  std::vector<Lane> lanes_;
  uint64_t next_ = 0;
  uint64_t ended_ = 0;
};

std::function<double(uint64_t)> Exponential(double mean, uint32_t seed) {
  auto random = std::make_shared<std::mt19937>(seed);
  return
      [random, mean](uint64_t) { return std::exponential_distribution<double>(1 / mean)(*random); };
}

double Width(const JobForecast& forecast) {
  return InSeconds(forecast.left->most) / std::max(0.001, InSeconds(forecast.left->least));
}

TEST(ProgressEstimatorTest, InstancesOfOneLengthHaveANarrowRangeSoon) {
  const Simulated run = Simulator({.seconds = [](uint64_t) { return 0.9; }}).Run();
  EXPECT_EQ(run.Right(), 1);
  const Seen early = run.After(0.1);
  EXPECT_LT(Width(early.forecast), 1.8);
  EXPECT_LT(Width(run.After(0.5).forecast), 1.3);
  ASSERT_TRUE(early.forecast.instructions_per_second);
  EXPECT_NEAR(*early.forecast.instructions_per_second, 16 * kLaneRate, kLaneRate);
}

TEST(ProgressEstimatorTest, LongInstancesOfOneLengthComeInWaves) {
  const Simulated run =
      Simulator({.instances = 160, .seconds = [](uint64_t) { return 30.0; }}).Run();
  EXPECT_GE(run.Right(), 0.98);
  for (const Seen& one : run.seen) EXPECT_TRUE(one.ended >= 2 || !one.forecast.left) << one.at;
  EXPECT_TRUE(run.seen[4].forecast.instructions_per_second);  // without any that has ended
}

TEST(ProgressEstimatorTest, ExponentialLengths) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const Simulated run = Simulator({.seconds = Exponential(2, seed)}).Run();
    EXPECT_GE(run.Right(), 0.93) << seed;
    EXPECT_LT(Width(run.After(0.5).forecast), 2.3) << seed;
  }
}

// Lengths of one to a thousand: nobody knows early, and the range says so.
TEST(ProgressEstimatorTest, TwoKindsOfInstances) {
  constexpr uint32_t kSeeds = 20;
  double right = 0;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    auto random = std::make_shared<std::mt19937>(seed);
    const auto seconds = [random](uint64_t) {
      return std::bernoulli_distribution(0.05)(*random) ? 50 : 0.05;
    };
    const Simulated run = Simulator({.instances = 2000, .seconds = seconds}).Run();
    right += run.Right() / kSeeds;
    EXPECT_GE(run.Right(), 0.5) << seed;
    // Nothing while short ones alone have ended, and long ones fill the lanes.
    for (const Seen& one : run.seen) {
      EXPECT_FALSE(one.at > 10 && one.at < 45 && one.forecast.left) << seed << " at " << one.at;
    }
    EXPECT_GT(Width(run.After(0).forecast), 2) << seed;
  }
  EXPECT_GE(right, 0.85);
}

TEST(ProgressEstimatorTest, ADeviceThatJoinsLaterIsSeenWithinSeconds) {
  const Simulated run =
      Simulator({.instances = 4000, .seconds = Exponential(1, 3), .joins = 60s, .more = 48}).Run();
  double before = 0, after = 0;
  for (const Seen& one : run.seen) {
    if (one.at < 59) before = *one.forecast.instructions_per_second;
    if (one.at < 75) after = *one.forecast.instructions_per_second;
  }
  EXPECT_NEAR(before, 16 * kLaneRate, 2 * kLaneRate);
  EXPECT_NEAR(after, 64 * kLaneRate, 6 * kLaneRate);
  // What was said before the device came knew nothing of it; what is said then is right.
  Simulated later = run;
  std::erase_if(later.seen, [](const Seen& one) { return one.at < 65; });
  EXPECT_GE(later.Right(), 0.95);
}

TEST(ProgressEstimatorTest, RestsCountAsTime) {
  const Simulated run =
      Simulator({.instances = 500, .seconds = Exponential(1, 5), .rest = 1s}).Run();
  EXPECT_GE(run.Right(), 0.95);
  EXPECT_NEAR(*run.After(0.5).forecast.instructions_per_second, 16 * kLaneRate / 3, kLaneRate);
}

TEST(ProgressEstimatorTest, LaunchesThatAreLongerThanTheWindow) {
  const Simulated run =
      Simulator({.instances = 400, .seconds = Exponential(3, 7), .launch = 12s}).Run();
  EXPECT_GE(run.Right(), 0.9);
  ASSERT_TRUE(run.After(0.5).forecast.left);
}

TEST(ProgressEstimatorTest, NothingIsSaidBeforeAnythingIsKnown) {
  ProgressEstimator estimator;
  estimator.Record(TimePoint(1s), 1, 5, 10);
  EXPECT_FALSE(estimator.Forecast().instructions_per_second);
  estimator.Start(TimePoint(2s));
  estimator.RecordEnded(5, 500, 50'000, 100);
  estimator.Record(TimePoint(2500ms), 1, 5, 5);
  EXPECT_FALSE(estimator.Forecast().instructions_per_second);  // for less than a second
  estimator.Record(TimePoint(4s), 1, 500, 5);
  EXPECT_TRUE(estimator.Forecast().instructions_per_second);
  EXPECT_TRUE(estimator.Forecast().left);
  estimator.Record(TimePoint(6s), 0, 0, 0);
  EXPECT_FALSE(estimator.Forecast().left);  // all have ended
}

// Of an instance that runs alone only its fuel is known.
TEST(ProgressEstimatorTest, OneInstanceHasARateAndNoRange) {
  ProgressEstimator estimator;
  estimator.Start(TimePoint(0s));
  for (int second = 1; second <= 100; ++second) {
    estimator.Record(TimePoint(std::chrono::seconds(second)), 1, 1000 * second, 1);
  }
  EXPECT_EQ(estimator.Forecast().instructions_per_second, 1000);
  EXPECT_FALSE(estimator.Forecast().left);
}

TEST(ProgressEstimatorTest, AStandstillHasNoRate) {
  ProgressEstimator estimator;
  estimator.Start(TimePoint(0s));
  estimator.RecordEnded(10, 1000, 100'000, 100);
  for (int second = 1; second <= 60; ++second) {
    estimator.Record(TimePoint(std::chrono::seconds(second)), 1, 0, 5);
  }
  EXPECT_FALSE(estimator.Forecast().instructions_per_second);
}

}  // namespace
}  // namespace wb::test
