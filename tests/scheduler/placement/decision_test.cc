#include "scheduler/placement/decision.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace wb {
namespace {

constexpr uint64_t kMillion = 1'000'000;

// Rates measured on an H200 and on the 16 processors beside it (bench/README.md).
Candidate Cpu(uint64_t seated = 0) {
  return {"cpu0", Engine::kCpu, 16, {1.1e11, 0, 0.001}, true, 0, seated};
}
constexpr uint32_t kFullWidth = 67'584;
Candidate Gpu(double rate = 6.9e12) {
  return {"cuda0", Engine::kCuda, kFullWidth, {rate, 0, 0.144}, false, 0, 0};
}
// Later: what takes its time there is less, and few are soon set up.
Candidate QuickGpu() {
  return {"cuda0", Engine::kCuda, kFullWidth, {5.3e13, 0, 0.01}, false, 0, 0};
}

struct MoveCase {
  std::string name;
  JobPicture job;
  std::optional<Move::Kind> move;
  size_t candidate = 0;
};

std::vector<MoveCase> MoveCases() {
  Candidate unknown_gpu = Gpu(0);
  Candidate uncompiled = Gpu();
  uncompiled.ready_in = 3;
  Candidate running_gpu = Gpu();
  running_gpu.runs = true;
  Candidate filled_gpu = running_gpu;
  filled_gpu.seated = 250;
  Candidate of_a_pair = filled_gpu;
  of_a_pair.kind = "H200";
  Candidate its_twin = of_a_pair;
  its_twin.device = "cuda1";
  its_twin.seated = 0;
  Candidate late_one = of_a_pair;  // they were expected to have ended long ago
  late_one.age = 1e6;
  Candidate other_kind = its_twin;
  other_kind.kind = "H100";
  Candidate twin_to_come = its_twin;
  twin_to_come.runs = false;
  Candidate half_done = of_a_pair;
  half_done.seated = 4 * kMillion;
  const auto join = Move::Kind::kJoin;
  const auto leave = Move::Kind::kLeave;
  return {
      {"a_long_job_is_joined", {{Cpu(1024), Gpu()}, 8 * kMillion, 875'000, 0}, join, 1},
      {"a_short_one_is_not", {{Cpu(), Gpu()}, 1000, 875'000, 0}, {}},
      {"few_long_ones_are_joined", {{Cpu(), QuickGpu()}, 1000, 17'500'000, 0}, join, 1},
      {"few_short_ones_are_not", {{Cpu(), QuickGpu()}, 1000, 875'000, 0}, {}},
      {"one_instance_is_not", {{Cpu(1), Gpu()}, 0, 1e9, 0}, {}},
      {"a_compiler_pays_in_a_long_job", {{Cpu(), uncompiled}, 8 * kMillion, 875'000, 0}, join, 1},
      {"but_not_in_one_of_a_second", {{Cpu(), uncompiled}, kMillion / 8, 875'000, 0}, {}},
      {"nothing_measured_yet", {{Cpu(), Gpu()}, 8 * kMillion, 0, 0}, {}},
      {"long_instances_show_by_not_ending", {{Cpu(1024), Gpu()}, kMillion, 0, 0.5}, join, 1},
      {"an_unknown_gpu_is_tried", {{Cpu(), unknown_gpu}, 8 * kMillion, 875'000, 0}, join, 1},
      {"all_seated_still_start_again", {{Cpu(100'000), Gpu()}, 0, kMillion * 100.0, 0}, join, 1},
      {"a_gpu_that_is_slow_here", {{Cpu(), Gpu(1e9)}, 8 * kMillion, 875'000, 0}, {}},
      {"no_gain_of_a_twentieth", {{Cpu(), Gpu(5e9)}, 8 * kMillion, 875'000, 0}, {}},
      {"the_tail_leaves_the_gpu", {{Cpu(), filled_gpu}, 0, kMillion * 4.0, 0}, leave, 1},
      {"not_while_others_wait", {{Cpu(), filled_gpu}, 100'000'000, kMillion * 1.0, 0}, {}},
      {"an_equal_gpu_joins", {{half_done, twin_to_come}, 4 * kMillion, 1e7, 0}, join, 1},
      {"nobody_starts_again_on_an_equal_gpu", {{late_one, its_twin}, 0, kMillion * 1.0, 0}, {}},
      {"but_on_another_kind", {{late_one, other_kind}, 0, kMillion * 1.0, 0}, leave, 0},
      {"nobody_leaves_alone", {{running_gpu}, 0, kMillion * 1.0, 0}, {}},
  };
}

class MoveTableTest : public ::testing::TestWithParam<MoveCase> {};

TEST(DecisionTest, GpusOfEitherEngineAreAsWideForTheirThreadsAndAsFastForALane) {
  DeviceInfo cpu, cuda, metal;
  cuda.engine = Engine::kCuda;
  metal.engine = Engine::kMetal;
  cpu.threads = cuda.threads = metal.threads = 4096;
  EXPECT_EQ(FullWidth(cpu), 4096u);
  EXPECT_EQ(FullWidth(cuda), 1024u);
  EXPECT_EQ(FullWidth(metal), 1024u);
  const Candidate one{"cuda0", Engine::kCuda, 1024, {}, false, 0, 0};
  const Candidate other{"metal0", Engine::kMetal, 1024, {}, false, 0, 0};
  EXPECT_EQ(UsualRate(one), UsualRate(other));
  EXPECT_TRUE(IsGpu(Engine::kCuda) && IsGpu(Engine::kMetal));
  EXPECT_FALSE(IsGpu(Engine::kCpu) || IsGpu(Engine::kInterpreter));
}

TEST_P(MoveTableTest, IsAsTheNumbersSay) {
  const MoveCase& that = GetParam();
  const std::optional<Move> move = NextMove(that.job);
  ASSERT_EQ(move.has_value(), that.move.has_value()) << (move ? move->reason : "stays");
  if (!move) return;
  EXPECT_EQ(move->kind, *that.move) << move->reason;
  EXPECT_EQ(move->candidate, that.candidate);
  EXPECT_NE(move->reason.find("instructions/s"), std::string::npos) << move->reason;
  EXPECT_NE(move->reason.find("instances left"), std::string::npos) << move->reason;
}

INSTANTIATE_TEST_SUITE_P(NextMove, MoveTableTest, ::testing::ValuesIn(MoveCases()),
                         [](const auto& test) { return test.param.name; });

JobPicture OnInterpreter(uint64_t waiting, uint64_t seated, double interpreter, double cpu) {
  JobPicture job;
  job.candidates = {{"interpreter0", Engine::kInterpreter, 2, {interpreter}, true, 0, seated},
                    {"cpu0", Engine::kCpu, 2, {cpu}, false, 0, 0}};
  job.waiting = waiting;
  job.fuel_per_instance = 1e6;
  return job;
}

TEST(WhetherToChangeTest, WhoIsLeftGoesWhereItEndsSooner) {
  const Change many = WhetherToChange(OnInterpreter(10000, 64, 1e9, 8e9), 0, 1);
  EXPECT_TRUE(many.goes);
  EXPECT_NE(many.reason.find("cpu0"), std::string::npos);
  EXPECT_FALSE(WhetherToChange(OnInterpreter(0, 64, 1e9, 8e8), 0, 1).goes);
}

// Four fifths of twenty seconds are over; anew it would take seven there.
TEST(WhetherToChangeTest, WhoTakesTheStateAlongNeedsTheRestAlone) {
  JobPicture job = OnInterpreter(0, 2, 1e9, 3e9);
  job.fuel_per_instance = 1e10;
  job.candidates[0].age = 16;
  EXPECT_FALSE(WhetherToChange(job, 0, 1).goes);
  job.candidates[0].moves = true;
  EXPECT_FALSE(WhetherToChange(job, 0, 1).goes);
  job.candidates[1].moves = true;
  EXPECT_TRUE(WhetherToChange(job, 0, 1).goes);
}

// No device has it yet; the question is of the processors.
JobPicture ToBegin(uint64_t instances, double fuel, Candidate gpu) {
  Candidate processors = Cpu();
  processors.runs = false;
  return {{processors, gpu}, instances, fuel, 0};
}

TEST(WhoBeginsTest, ProcessorsThatWouldAddNothingDoNot) {
  EXPECT_FALSE(IsWorthBeginning(ToBegin(200'000, 875'000, QuickGpu()), 0));
  EXPECT_FALSE(IsWorthBeginning(ToBegin(20'000, 17'500'000, QuickGpu()), 0));
  EXPECT_FALSE(IsWorthBeginning(ToBegin(1000, 17'500'000, QuickGpu()), 0));
}

TEST(WhoBeginsTest, ProcessorsThatAreAsQuickOrQuickerDo) {
  EXPECT_TRUE(IsWorthBeginning(ToBegin(1000, 875'000, Gpu()), 0));
  EXPECT_TRUE(IsWorthBeginning(ToBegin(1, 1e9, QuickGpu()), 0));
  EXPECT_TRUE(IsWorthBeginning(ToBegin(kMillion, 875'000, Gpu(1e11)), 0));
  EXPECT_TRUE(IsWorthBeginning(ToBegin(kMillion, 0, QuickGpu()), 0));  // nothing is known
  Candidate in_an_hour = QuickGpu();
  in_an_hour.ready_in = 3600;
  EXPECT_TRUE(IsWorthBeginning(ToBegin(kMillion, 875'000, in_an_hour), 0));
}

// Sixteen that need twenty seconds each, nearly done: on the GPU from their beginning they would
// take twice as long again.
TEST(NextMoveTest, WhoGoesOnThereNeedsTheRestAlone) {
  Candidate cpu = Cpu(16);
  cpu.rates.fuel_per_s = 16 * 1e9;
  cpu.age = 15;
  cpu.moves = true;
  Candidate gpu = QuickGpu();
  JobPicture job{{cpu, gpu}, 0, 2e10, 0};
  EXPECT_FALSE(NextMove(job).has_value());
  job.candidates[1].rates.fuel_per_s = kFullWidth * 2e9;
  EXPECT_FALSE(NextMove(job).has_value());  // 10 seconds from the beginning, 5 as they sit
  job.candidates[1].moves = true;
  const auto move = NextMove(job);  // 2.5
  ASSERT_TRUE(move.has_value());
  EXPECT_EQ(move->candidate, 1u);
}

TEST(ExpectedEndTest, IsOfThoseThatHaveIt) {
  JobPicture job{{Cpu(), QuickGpu()}, 16'000, 1.1e9, 0};
  EXPECT_NEAR(ExpectedEnd(job), 160, 1);
  job.candidates[1].runs = true;
  EXPECT_LT(ExpectedEnd(job), 3);
  job.fuel_per_instance = 0;
  EXPECT_GT(ExpectedEnd(job), 1e300);
}

TEST(WhetherToChangeTest, WithoutAnEndItGoes) {
  JobPicture job = OnInterpreter(0, 64, 0, 0);
  job.fuel_per_instance = 0;
  EXPECT_TRUE(WhetherToChange(job, 0, 1).goes);
}

// Where nothing is known equal devices are to get equal shares all the same.
TEST(PacesTest, AreThereFromTheStart) {
  const JobPicture job{{Gpu(0), Gpu(0)}, 8 * kMillion, 0, 0};
  EXPECT_TRUE(WorkersOf(job).empty());
  const std::vector<Worker> paces = PacesOf(job);
  ASSERT_EQ(paces.size(), 2u);
  EXPECT_GT(paces[0].lane_time, 0);
  EXPECT_EQ(paces[0].lane_time, paces[1].lane_time);
}

TEST(ExpectedRateTest, WhatOneDeviceShowsTellsOfTheOthers) {
  const JobPicture job = OnInterpreter(0, 0, 5e8, 0);  // half of what is usual
  EXPECT_NEAR(ExpectedRate(job.candidates[1], job.candidates), 5e9, 1);
}

}  // namespace
}  // namespace wb
