#include "scheduler/placement/build_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "scheduler/pipelines/build_times.h"

namespace wb {
namespace {

constexpr double kFuel = 1e6;  // of an instance

// On two processors; the interpreter does 1e9 instructions a second, and the compiled kernel eight
// times as many, so a second of the interpreter's is 1,000 instances.
BuildPicture Picture(uint64_t instances, double build, uint32_t processors = 2) {
  BuildPicture picture;
  picture.job.candidates = {{"interpreter0", Engine::kInterpreter, processors, {1e9}, true, 0, 0},
                            {"cpu0", Engine::kCpu, processors, {8e9}, false, build, 0}};
  picture.job.waiting = instances;
  picture.job.fuel_per_instance = kFuel;
  return picture;
}

struct BuildCase {
  std::string name;
  BuildPicture picture;
  bool begins;
};

std::vector<BuildCase> Cases() {
  BuildPicture shared = Picture(500, 0.6);
  shared.jobs = 4;
  BuildPicture crowded = Picture(900, 0.6);
  crowded.compilers = 3;
  BuildPicture paid = Picture(16, 0.6);
  paid.spent = 0.6;
  BuildPicture not_yet_paid = paid;
  not_yet_paid.spent = 0.5;
  BuildPicture unknown = Picture(16, 0.6);
  unknown.job.fuel_per_instance = 0;
  BuildPicture long_ones = Picture(0, 0.6);  // two have run for 5 s, none has ended
  long_ones.job.fuel_per_instance = 0;
  long_ones.job.running_for = 5;
  long_ones.job.candidates[0].seated = 2;
  long_ones.job.candidates[0].age = 5;
  BuildPicture guessed = Picture(1000, 0.6);
  guessed.is_guess = true;
  BuildPicture slow_machine = guessed;  // it does a third of what is usual
  slow_machine.job.candidates[0].rates.fuel_per_s = 1e9 / 3;
  slow_machine.job.candidates[1].rates.fuel_per_s = 8e9 / 3;
  slow_machine.job.waiting = 500;
  BuildPicture timed_there = slow_machine;
  timed_there.is_guess = false;
  BuildPicture others = Picture(1, 100);
  others.jobs = 2;
  return {
      {"a_job_that_ends_before_the_compiler", Picture(16, 0.6), false},
      {"one_that_ends_a_little_after_it", Picture(650, 0.6), false},
      {"one_of_a_second", Picture(1000, 0.6), true},
      {"one_of_an_hour", Picture(3'600'000, 0.6), true},
      {"a_long_compiler_for_a_short_job", Picture(10'000, 100), false},
      {"a_long_compiler_for_a_long_job", Picture(1'000'000, 100), true},
      {"others_take_turns_there", shared, true},
      {"a_guess_on_a_usual_machine", guessed, true},
      {"a_guess_on_a_slow_one", slow_machine, false},
      {"what_was_timed_there_holds", timed_there, true},
      {"many_compilers_at_work", crowded, false},
      {"earlier_jobs_have_paid_for_it", paid, true},
      {"not_yet", not_yet_paid, false},
      {"nothing_shows_how_long_it_is", unknown, true},
      {"long_instances_show_by_not_ending", long_ones, true},
      {"a_lane_leaves_a_processor_idle", Picture(1, 100), true},
      {"but_not_where_others_use_it", others, false},
      {"one_processor", Picture(1, 100, 1), false},
      {"many_processors_and_a_short_job", Picture(160, 0.6, 64), false},
      {"many_processors_and_one_of_a_second", Picture(1000, 0.6, 64), true},
  };
}

class WhetherToBuildTest : public ::testing::TestWithParam<BuildCase> {};

TEST_P(WhetherToBuildTest, IsAsTheNumbersSay) {
  const BuildChoice choice = WhetherToBuild(GetParam().picture);
  EXPECT_EQ(choice.begins, GetParam().begins) << choice.reason;
}

INSTANTIATE_TEST_SUITE_P(Table, WhetherToBuildTest, ::testing::ValuesIn(Cases()),
                         [](const auto& test) { return test.param.name; });

TEST(WhetherToBuildTest, TheReasonHasTheNumbers) {
  const std::string reason = WhetherToBuild(Picture(1000, 0.6)).reason;
  EXPECT_NE(reason.find("with the compiler's 0.6 s, 1 s without"), std::string::npos) << reason;
  EXPECT_NE(reason.find("1000 instances left"), std::string::npos) << reason;
}

struct QuickCase {
  std::string name;
  double quick;  // instructions a second
  double interpreter;
  QuickChoice::Is is;
};

class CompareQuickTest : public ::testing::TestWithParam<QuickCase> {};

TEST_P(CompareQuickTest, IsByWhatLaunchesOfBothShowed) {
  Candidate quick{"cpu0", Engine::kCpu, 2, {GetParam().quick}};
  Candidate interpreter{"interpreter0", Engine::kInterpreter, 2, {GetParam().interpreter}};
  quick.build = KernelBuild::kQuick;
  EXPECT_EQ(CompareQuick(quick, interpreter).is, GetParam().is);
}

INSTANTIATE_TEST_SUITE_P(
    Table, CompareQuickTest,
    ::testing::Values(QuickCase{"nothing_is_known", 0, 0, QuickChoice::Is::kUnknown},
                      QuickCase{"no_launch_of_the_quick_build", 0, 5e8, QuickChoice::Is::kUnknown},
                      QuickCase{"none_of_the_interpreter", 9e8, 0, QuickChoice::Is::kUnknown},
                      QuickCase{"as_usual", 9e8, 5e8, QuickChoice::Is::kQuicker},
                      QuickCase{"a_path_tracer", 3e8, 5e8, QuickChoice::Is::kSlower},
                      QuickCase{"a_little_slower", 4.9e8, 5e8, QuickChoice::Is::kQuicker}),
    [](const auto& test) { return test.param.name; });

TEST(CompareQuickReason, HasBothNumbers) {
  const QuickChoice choice = CompareQuick({"cpu0", Engine::kCpu, 2, {3e8}},
                                          {"interpreter0", Engine::kInterpreter, 2, {5e8}});
  EXPECT_EQ(choice.reason,
            "the quick build does 3e+08 instructions/s of this module, the interpreter 5e+08.");
}

TEST(UsualRateTest, OfAQuickBuildIsBetweenTheInterpretersAndAFullOnes) {
  Candidate quick{"cpu0", Engine::kCpu, 2};
  quick.build = KernelBuild::kQuick;
  EXPECT_GT(UsualRate(quick), UsualRate({"interpreter0", Engine::kInterpreter, 2}));
  EXPECT_LT(UsualRate(quick), UsualRate({"cpu0", Engine::kCpu, 2}));
}

// A job of equal instances on the interpreter, looked at after every launch, as the coordinator
// does. `error`: what the compiler is expected to take, of what it takes.
double EndOfJob(uint64_t instances, double build, double error, uint32_t processors) {
  constexpr double kLaunch = 0.02;
  const double all = static_cast<double>(instances) * kFuel;
  const double share = double(processors) / (processors + 1);
  double begun = -1;
  double done = 0;
  for (double now = 0;; now += kLaunch) {
    if (begun >= 0 && now >= begun + build) return now + (all - done) / 8e9;
    const double rate = begun >= 0 ? share * 1e9 : 1e9;
    if (done + rate * kLaunch >= all) return now + (all - done) / rate;
    done += rate * kLaunch;
    const auto left = static_cast<uint64_t>(std::ceil((all - done) / kFuel));
    if (begun < 0 && WhetherToBuild(Picture(left, build * error, processors)).begins) {
      begun = now + kLaunch;
    }
  }
}

// The worst of jobs of random length over the better of the interpreter alone and waiting for the
// compiler.
double WorstOf(double least_error, double most_error) {
  std::mt19937_64 random(7);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto instances = static_cast<uint64_t>(std::exp(between(std::log(10), std::log(1e5))));
    const double build = std::exp(between(std::log(0.2), std::log(10)));
    const uint32_t processors = 1u << static_cast<int>(between(1, 7));
    const double error = std::exp(between(std::log(least_error), std::log(most_error)));
    const double work = static_cast<double>(instances) * kFuel;
    const double best = std::min(work / 1e9, build + work / 8e9);
    worst = std::max(worst, EndOfJob(instances, build, error, processors) / best);
  }
  return worst;
}

TEST(BuildSimulationTest, AJobEndsAboutAsSoonAsOnTheBetterEngine) { EXPECT_LE(WorstOf(1, 1), 1.1); }

TEST(BuildSimulationTest, AGuessThatIsTwiceTooLongCostsLittle) { EXPECT_LE(WorstOf(1, 2), 1.7); }

TEST(BuildSimulationTest, NorDoesOneThatIsHalf) { EXPECT_LE(WorstOf(0.5, 1), 1.6); }

TEST(BuildTimesTest, AreOfATargetByTheByte) {
  BuildTimes times;
  EXPECT_NEAR(times.Expect("clang", Effort::kFull, 100'000), 1, 1e-9);
  times.Record("clang", Effort::kFull, 100'000, 0.4);
  times.Record("clang", Effort::kQuick, 100'000, 0.1);
  EXPECT_NEAR(times.Expect("clang", Effort::kFull, 200'000), 0.8, 1e-9);
  EXPECT_NEAR(times.Expect("clang", Effort::kQuick, 200'000), 0.2, 1e-9);
  EXPECT_NEAR(times.Expect("nvrtc", Effort::kFull, 100'000), 1, 1e-9);
  EXPECT_NEAR(times.Expect("clang", Effort::kBest, 100'000), 1.5, 1e-9);
  times.Record("clang", Effort::kBest, 100'000, 0.7);
  EXPECT_NEAR(times.Expect("clang", Effort::kBest, 100'000), 0.7, 1e-9);
  times.Record("clang", Effort::kFull, 100'000, 0.8);
  EXPECT_NEAR(times.Expect("clang", Effort::kFull, 100'000), 0.6, 1e-9);
  EXPECT_NEAR(times.Expect("clang", Effort::kFull, 10), BuildTimes::kLeast, 1e-9);
}

}  // namespace
}  // namespace wb
