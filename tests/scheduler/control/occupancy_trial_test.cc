// OccupancyTrial: after which launches it has shown a rate, and after which it shows nothing.

#include "scheduler/control/occupancy_trial.h"

#include <gtest/gtest.h>

#include "tests/scheduler/control/shown_launches.h"

namespace wb::test {
namespace {

using Verdict = OccupancyTrial::Verdict;
using std::chrono::milliseconds;

constexpr double kRate = 1e12;

OccupancyTrial::Plan PlanOf(uint32_t abreast, double best_rate = 0) {
  OccupancyTrial::Plan plan;
  plan.abreast = abreast;
  plan.best_rate = best_rate;
  return plan;
}

// The number of launches up to another verdict than kGoesOn, which has to be this one.
uint32_t LaunchesUntil(Verdict expected, OccupancyTrial& trial, const OccupancyLaunch& launch,
                       bool is_steady) {
  for (uint32_t count = 1; count < 1000; ++count) {
    const Verdict verdict = trial.Add(launch, is_steady);
    if (verdict == Verdict::kGoesOn) continue;
    EXPECT_EQ(verdict, expected);
    return count;
  }
  return 1000;
}

TEST(OccupancyTrialTest, TwoLaunchesForEachThatRunsAbreastShowTheRate) {
  for (const uint32_t abreast : {1u, 3u}) {
    OccupancyTrial trial(PlanOf(abreast));
    OccupancyLaunch launch = LaunchAt(kRate, milliseconds(100));
    launch.abreast = abreast;
    launch.air = launch.busy * abreast;
    EXPECT_EQ(LaunchesUntil(Verdict::kShown, trial, launch, true), 2 * abreast);
    EXPECT_DOUBLE_EQ(trial.tally().rate(), kRate);
  }
}

TEST(OccupancyTrialTest, LaunchesThatDoNotLastAlikeTakeFourTimesAsMany) {
  OccupancyTrial trial(PlanOf(2));
  OccupancyLaunch launch = LaunchAt(kRate, milliseconds(100));
  launch.abreast = 2;  // its time in flight is not twice as long
  EXPECT_EQ(LaunchesUntil(Verdict::kShown, trial, launch, true), OccupancyTrial::kMost * 2);
}

TEST(OccupancyTrialTest, OneThatIsHopelessTakesHalf) {
  OccupancyTrial trial(PlanOf(1, kRate));
  const OccupancyLaunch slow = LaunchAt(kRate * 0.69, milliseconds(100));
  EXPECT_EQ(LaunchesUntil(Verdict::kShown, trial, slow, true), 1u);
  OccupancyTrial other(PlanOf(1, kRate));
  const OccupancyLaunch slower = LaunchAt(kRate * 0.71, milliseconds(100));
  EXPECT_EQ(LaunchesUntil(Verdict::kShown, other, slower, true), 2u);
}

// They run beside launches of before, and are not counted.
TEST(OccupancyTrialTest, TheFirstLaunchesAreNotInItsTally) {
  OccupancyTrial trial(PlanOf(1));
  EXPECT_EQ(trial.Add(LaunchAt(kRate / 5, milliseconds(100)), false), Verdict::kGoesOn);
  const OccupancyLaunch launch = LaunchAt(kRate, milliseconds(100));
  EXPECT_EQ(LaunchesUntil(Verdict::kShown, trial, launch, true), 2u);
  EXPECT_DOUBLE_EQ(trial.tally().rate(), kRate);
}

TEST(OccupancyTrialTest, LaunchesThatAreNotFullShowNothing) {
  OccupancyTrial trial(PlanOf(2));
  OccupancyLaunch dry = LaunchAt(kRate, milliseconds(100));
  dry.full = false;
  EXPECT_EQ(LaunchesUntil(Verdict::kShowsNothing, trial, dry, false),
            OccupancyTrial::kMostUnfit * 2);
}

TEST(OccupancyTrialTest, LaunchesThatNeverRunBesideTheirLikeAloneShowNothing) {
  OccupancyTrial trial(PlanOf(1));
  const OccupancyLaunch launch = LaunchAt(kRate, milliseconds(100));
  EXPECT_EQ(LaunchesUntil(Verdict::kShowsNothing, trial, launch, false),
            OccupancyTrial::kMostUnfit);
}

TEST(OccupancyTrialTest, ThePlanSaysHowManyMayShowNothing) {
  OccupancyTrial::Plan plan = PlanOf(1);
  plan.most_unfit = 4;
  OccupancyTrial trial(plan);
  EXPECT_EQ(LaunchesUntil(Verdict::kShowsNothing, trial, OccupancyLaunch(), false), 4u);
}

TEST(OccupancyTrialTest, LaunchesLastLongerAfterSomeThatShowedNothing) {
  OccupancyTrial trial(PlanOf(1));
  EXPECT_EQ(trial.longest(), OccupancyTrial::kTime);
  trial.Add(OccupancyLaunch(), false);
  EXPECT_EQ(trial.longest(), 2 * OccupancyTrial::kTime);
  EXPECT_EQ(OccupancyTrial(PlanOf(2)).longest(), OccupancyTrial::kTime);
  EXPECT_EQ(OccupancyTrial(PlanOf(4)).longest(), OccupancyTrial::kTime / 2);
}

}  // namespace
}  // namespace wb::test
