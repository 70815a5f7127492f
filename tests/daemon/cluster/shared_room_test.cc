#include "daemon/cluster/shared_room.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

constexpr uint64_t kAll = 64'000;  // a reserve of 8,000

class SharedRoomTest : public testing::Test {
 protected:
  SharedRoom room_{ResultLimits{kAll, 0, 20'000}};
};

TEST_F(SharedRoomTest, AJobHasItsOwnBoundWhatIsUnderWayIncluded) {
  JobHolding job = {"a", 5'000, 50, 20, 1};  // 100 bytes each
  room_.Add(job);
  EXPECT_EQ(room_.Of(job), (20'000u - 5'000 - 2'000) / 100);
  EXPECT_EQ(room_.Tightest(job), ResultBound::kJob);
  job.claimed = 150;
  EXPECT_EQ(room_.Of(job), 0u);
  job.claimed = UINT64_MAX;
  EXPECT_EQ(room_.Of(job), 0u);
}

TEST_F(SharedRoomTest, BeforeThereIsAResultItCountsAsTheMost) {
  const JobHolding job = {"a", 0, 0, 10, 700};
  room_.Add(job);
  EXPECT_EQ(room_.Of(job), (20'000u - 7'000) / 700);
  EXPECT_EQ(room_.Of({"a", 0, 0, 0, 0}), 20'000u);  // not known: a byte
}

TEST_F(SharedRoomTest, AJobThatHasNothingStartsAGroupThoughItsBoundIsLess) {
  EXPECT_EQ(room_.Of({"a", 0, 0, 0, 15'000}, 32), 32u);
  EXPECT_EQ(room_.Of({"a", 15'000, 1, 0, 15'000}, 32), 0u);
  room_.Add({"b", kAll, 100, 0, 0});
  EXPECT_EQ(room_.Of({"a", 0, 0, 0, 15'000}, 32), 0u);  // others are in the way
}

TEST_F(SharedRoomTest, ATenantHasHalfOfAllAndAllHaveNoMore) {
  const JobHolding small = {"a", 3'000, 3, 0, 0};
  room_.Add(small);
  room_.Add({"a", 20'000, 20, 9, 0});  // 29,000
  EXPECT_EQ(room_.Of(small), 0u);
  EXPECT_EQ(room_.Tightest(small), ResultBound::kTenant);
  EXPECT_EQ(room_.kept_of("a"), 23'000u);
  const JobHolding other = {"b", 2'000, 2, 0, 0};
  room_.Add(other);
  EXPECT_EQ(room_.Of(other), 18u);
  room_.Claimed(other, 18);
  room_.Add({"c", 9'000, 9, 0, 0});
  EXPECT_EQ(room_.Of(other), 0u);
  EXPECT_EQ(room_.Tightest(other), ResultBound::kAll);
}

TEST_F(SharedRoomTest, EndedJobsKeepNobodyFromRunningAndGiveWayWhereAllIsFull) {
  room_.AddSpare("a", 20'000);
  room_.AddSpare("b", 30'000);
  room_.AddSpare("c", 0);
  EXPECT_EQ(room_.MustGive(), std::nullopt);
  const JobHolding job = {"d", 15'000, 15, 0, 0};
  room_.Add(job);
  EXPECT_EQ(room_.Of(job), 5u);
  EXPECT_EQ(room_.MustGive(), "b");  // which has most
  room_.Gave("b", 11'000);
  EXPECT_EQ(room_.MustGive(), std::nullopt);
  room_.Add({"d", 12'000, 1, 0, 0});
  EXPECT_EQ(room_.MustGive(), "a");
  room_.MustStay("a", 20'000);
  EXPECT_EQ(room_.MustGive(), "b");
  room_.Gave("b", 100'000);  // more than it had
  EXPECT_EQ(room_.MustGive(), std::nullopt);
  EXPECT_EQ(room_.kept_of("a"), 20'000u);
}

TEST_F(SharedRoomTest, ATenantsEndedJobsGiveWayToItsOwn) {
  room_.AddSpare("a", 20'000);
  room_.Add({"a", 15'000, 15, 0, 0});
  EXPECT_EQ(room_.MustGive(), "a");
}

TEST(PartOfTest, HostsShareWhatIsLeftInWholeGroups) {
  EXPECT_EQ(PartOf(100, 1, 1), 100u);
  EXPECT_EQ(PartOf(100, 8, 1), 12u);
  EXPECT_EQ(PartOf(100, 8, 32), 32u);
  EXPECT_EQ(PartOf(20, 8, 32), 20u);
  EXPECT_EQ(PartOf(0, 8, 32), 0u);
  EXPECT_EQ(PartOf(9, 0, 0), 9u);
}

}  // namespace
}  // namespace wb
