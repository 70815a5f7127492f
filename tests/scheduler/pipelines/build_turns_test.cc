#include "scheduler/pipelines/build_turns.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace wb {
namespace {

using namespace std::chrono_literals;

class BuildTurnsTest : public ::testing::Test {
 protected:
  void Add(uint64_t build, const std::string& tenant, double weight = 1) {
    turns_.Add(build, {tenant, weight, 0}, now_);
  }
  // 0: none waits.
  uint64_t Next() { return turns_.Next(now_).value_or(0); }
  // One after the other, each for so long.
  uint64_t RunNext(std::chrono::nanoseconds took) {
    const uint64_t next = Next();
    now_ += took;
    if (next != 0) turns_.Done(next, took);
    return next;
  }

  BuildTurns turns_;
  TimePoint now_{1h};
};

TEST_F(BuildTurnsTest, BuildsOfOneTenantComeInTheirOrder) {
  for (uint64_t build : {1, 2, 3}) Add(build, "a");
  for (uint64_t build : {1, 2, 3}) EXPECT_EQ(RunNext(10s), build);
  EXPECT_EQ(Next(), 0u);
}

TEST_F(BuildTurnsTest, ANewcomerWaitsForOneBuildOfATenantWithMany) {
  for (uint64_t build : {1, 2, 3, 4}) Add(build, "a");
  EXPECT_EQ(Next(), 1u);
  Add(5, "b");
  now_ += 15s;
  turns_.Done(1, 15s);
  EXPECT_EQ(RunNext(15s), 5u);
  for (uint64_t build : {2, 3, 4}) EXPECT_EQ(RunNext(15s), build);
}

TEST_F(BuildTurnsTest, NoTenantHasAllCompilersWhileAnotherWaits) {
  for (uint64_t build : {1, 2, 3, 4}) Add(build, "a");
  for (uint64_t build : {5, 6, 7}) Add(build, "b");
  // Two compilers; those of "a" take long, and are not paid for before they end.
  std::map<bool, int> counts{{Next() <= 4, 1}};
  ++counts[Next() <= 4];
  EXPECT_EQ(counts[true], 1);
  EXPECT_EQ(counts[false], 1);
  turns_.Done(5, 1ms);
  EXPECT_EQ(Next(), 6u);
  turns_.Done(6, 1ms);
  EXPECT_EQ(Next(), 7u);
  turns_.Done(7, 1ms);
  EXPECT_EQ(Next(), 2u);  // no other tenant waits
}

TEST_F(BuildTurnsTest, TenantsShareTheSecondsByWeight) {
  uint64_t build = 1;
  for (int i = 0; i < 100; ++i) Add(build++, "a", 1);
  for (int i = 0; i < 100; ++i) Add(build++, "b", 3);
  int of_b = 0;
  for (int i = 0; i < 80; ++i) of_b += RunNext(10s) > 100 ? 1 : 0;
  EXPECT_NEAR(of_b, 60, 3);
}

TEST_F(BuildTurnsTest, OneThatTwoTenantsWaitForHasTheEarlierTurnAndOnlyOne) {
  for (uint64_t build : {1, 2, 3, 4}) Add(build, "a");
  EXPECT_EQ(RunNext(10s), 1u);
  Add(4, "b");
  Add(4, "b");
  EXPECT_EQ(RunNext(10s), 4u);
  EXPECT_EQ(RunNext(10s), 2u);
  EXPECT_EQ(RunNext(10s), 3u);
  EXPECT_EQ(Next(), 0u);
}

TEST_F(BuildTurnsTest, OneUnderWayIsNotBegunAgain) {
  Add(1, "a");
  EXPECT_EQ(Next(), 1u);
  Add(1, "b");
  EXPECT_EQ(Next(), 0u);
}

}  // namespace
}  // namespace wb
