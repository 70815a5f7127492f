// The backlog of a job of which an earlier scheduler has done a part.

#include "scheduler/job/backlog.h"

#include <gtest/gtest.h>

#include <set>

namespace wb {
namespace {

constexpr uint64_t kMany = uint64_t{1} << 40;

JobBefore BeforeOf(const std::vector<InstanceRange>& finished, uint32_t attempt = 2) {
  JobBefore before;
  for (const InstanceRange& range : finished) before.finished.Add(range.first, range.count);
  before.attempt = attempt;
  return before;
}

std::vector<uint64_t> InstancesOf(const Claim& claim, uint32_t attempt) {
  std::vector<uint64_t> instances;
  for (uint64_t i = 0; i < claim.size(); ++i) {
    EXPECT_EQ(claim.At(i).attempt, attempt);
    EXPECT_EQ(claim.At(i).seat_class, SeatClass());
    instances.push_back(claim.At(i).instance);
  }
  return instances;
}

TEST(BacklogBeforeTest, TheFinishedAreLeftOutAndTheRestIsInOrder) {
  const JobBefore before = BeforeOf({{0, 3}, {4, 1}, {7, 2}}, 5);
  Backlog backlog(20, &before);
  EXPECT_EQ(backlog.size(), 14u);
  EXPECT_EQ(backlog.returned(), 0u) << "none had a turn in this scheduler";
  EXPECT_EQ(InstancesOf(backlog.Take({}, 2), 5), (std::vector<uint64_t>{3, 5}));
  EXPECT_EQ(InstancesOf(backlog.Take({}, 4), 5), (std::vector<uint64_t>{6, 9, 10, 11}))
      << "short ranges and a part of the next go together";
  EXPECT_EQ(backlog.size({}), 8u);
  EXPECT_EQ(backlog.Take({}).instance, 12u);
  EXPECT_EQ(InstancesOf(backlog.Take({}, 100), 5),
            (std::vector<uint64_t>{13, 14, 15, 16, 17, 18, 19}));
  EXPECT_EQ(backlog.size(), 0u);
  EXPECT_TRUE(backlog.classes().empty());
  EXPECT_EQ(backlog.Take({}, 5).size(), 0u);
}

TEST(BacklogBeforeTest, WhoReturnsGoesFirstWithItsOwnAttempt) {
  const JobBefore before = BeforeOf({{0, 3}, {4, 1}});
  Backlog backlog(9, &before);
  InstanceRef instance = backlog.Take({});
  EXPECT_EQ(instance.instance, 3u);
  EXPECT_EQ(instance.attempt, 2u);
  ++instance.attempt;
  backlog.Return(instance);
  const Claim claim = backlog.Take({}, 3);
  ASSERT_EQ(claim.size(), 3u);
  EXPECT_EQ(claim.At(0).instance, 3u);
  EXPECT_EQ(claim.At(0).attempt, 3u);
  EXPECT_EQ(claim.At(1).instance, 5u);
  EXPECT_EQ(claim.At(2).instance, 6u);
  EXPECT_EQ(claim.At(2).attempt, 2u);
}

TEST(BacklogBeforeTest, AnotherClassTakesNoneThatNeverStarted) {
  const JobBefore before = BeforeOf({{1, 1}});
  Backlog backlog(4, &before);
  InstanceRef instance = backlog.Take({});
  instance.seat_class.pages = 8;
  backlog.Return(instance);
  EXPECT_EQ(backlog.Take({8, 0}, 10).size(), 1u);
  EXPECT_EQ(backlog.size(), 2u);
}

TEST(BacklogBeforeTest, TheRestIsRangesThatNameNoFinishedInstance) {
  const JobBefore before = BeforeOf({{0, 10}, {12, 1}, {kMany / 2, 5}, {kMany - 1, 1}});
  Backlog backlog(kMany, &before);
  EXPECT_EQ(backlog.size(), kMany - 17);
  InstanceRef instance = backlog.Take({});
  backlog.Return(instance);
  const Backlog::Rest rest = backlog.TakeRest();
  ASSERT_EQ(rest.returned.size(), 1u);
  EXPECT_EQ(rest.returned[0].instance, 10u);
  EXPECT_EQ(rest.attempt, 2u);
  EXPECT_EQ(rest.fresh, (std::vector<InstanceRange>{
                            {11, 1}, {13, kMany / 2 - 13}, {kMany / 2 + 5, kMany / 2 - 6}}));
  EXPECT_EQ(backlog.size(), 0u);
  EXPECT_TRUE(backlog.TakeRest().fresh.empty());
}

// Its own attempt, and a class that has room for the state.
TEST(BacklogBeforeTest, WhoWasLeftMidwayHasAClassOfItsOwn) {
  const auto lane = std::make_shared<MovedLane>();
  const auto state = std::make_shared<HeldState>(StateNeeds{3, 2, 4096}, lane);
  JobBefore before = BeforeOf({{0, 2}});
  before.midway = {{3, 1, state}, {5, 4, state}};
  Backlog backlog(8, &before);
  EXPECT_EQ(backlog.size(), 6u);
  EXPECT_EQ(InstancesOf(backlog.Take({}, 9), 2), (std::vector<uint64_t>{2, 4, 6, 7}));
  ASSERT_EQ(backlog.classes().size(), 1u);
  const SeatClass its = backlog.classes()[0];
  EXPECT_EQ(its, (SeatClass{3, 0, 4096, 2, false, true}));
  const Claim claim = backlog.Take(its, 9);
  ASSERT_EQ(claim.size(), 2u);
  EXPECT_EQ(claim.At(0).attempt, 1u);
  EXPECT_EQ(claim.At(1).attempt, 4u);
  EXPECT_EQ(claim.At(1).given, state);
  Backlog of_groups(8, &before, 2);
  EXPECT_EQ(of_groups.size({}), 6u) << "groups start again as a whole";
}

TEST(BacklogBeforeTest, WhoDoesNotWaitHasEndedOnceNobodyIsSeated) {
  Backlog backlog(10);
  const Claim claim = backlog.Take({}, 5);
  backlog.Return(claim.At(1));
  backlog.Return(claim.At(3));
  EXPECT_EQ(backlog.Ended(10), (std::vector<InstanceRange>{{0, 1}, {2, 1}, {4, 1}}));
}

TEST(BacklogBeforeTest, ThoseThatMovedLeaveAlone) {
  Backlog backlog(4);
  InstanceRef moved = backlog.Take({});
  const InstanceRef other = backlog.Take({});
  moved.moved = std::make_shared<MovedLane>();
  backlog.Return(other);
  backlog.Return(moved);
  ASSERT_EQ(backlog.TakeMoved().size(), 1u);
  EXPECT_EQ(backlog.size(), 3u);
  EXPECT_EQ(backlog.returned(), 1u);
  EXPECT_TRUE(backlog.TakeMoved().empty());
}

TEST(BacklogBeforeTest, OfAFinishedJobNothingIsLeft) {
  const JobBefore before = BeforeOf({{0, 7}});
  Backlog backlog(7, &before);
  EXPECT_EQ(backlog.size(), 0u);
  EXPECT_TRUE(backlog.classes().empty());
}

TEST(BacklogBeforeTest, ANewJobIsOneRangeInItsFirstAttempt) {
  Backlog backlog(kMany);
  EXPECT_EQ(backlog.size(), kMany);
  const Claim claim = backlog.Take({}, 1000);
  EXPECT_EQ(claim.fresh(), 1000u);
  EXPECT_EQ(claim.At(999).instance, 999u);
  EXPECT_EQ(claim.At(999).attempt, 1u);
  EXPECT_EQ(backlog.TakeRest().fresh, (std::vector<InstanceRange>{{1000, kMany - 1000}}));
}

// Claims of any size, with some that come back: each that was missing ends once.
TEST(BacklogBeforeTest, EachOfTheOthersIsTakenOnceWhateverIsClaimed) {
  JobBefore before;
  for (uint64_t i = 0; i < 900; ++i) {
    if (i < 200 || i * 7919 % 11 < 5) before.finished.Add(i, 1);
  }
  Backlog backlog(1200, &before);
  std::set<uint64_t> ended;
  for (uint64_t turn = 1; backlog.size() > 0; ++turn) {
    const uint64_t left = backlog.size();
    const Claim claim = backlog.Take({}, turn % 37);
    ASSERT_EQ(claim.size(), std::min(left, turn % 37));
    ASSERT_EQ(backlog.size(), left - claim.size());
    for (uint64_t i = 0; i < claim.size(); ++i) {
      if ((turn + i) % 5 == 0) {
        backlog.Return(claim.At(i));
      } else {
        ASSERT_TRUE(ended.insert(claim.At(i).instance).second);
      }
    }
  }
  EXPECT_EQ(ended.size(), 1200 - before.finished.count());
  for (const uint64_t instance : ended) EXPECT_FALSE(before.finished.Contains(instance));
}

TEST(BacklogGroupsTest, WholeGroupsAreTaken) {
  Backlog backlog(80, nullptr, 32);
  EXPECT_EQ(backlog.Take({}, 31).size(), 0u);
  EXPECT_EQ(backlog.Take({}, 63).size(), 32u);
  EXPECT_EQ(backlog.Take({}, 40).size(), 32u);
  EXPECT_EQ(backlog.Take({}, 15).size(), 0u);
  EXPECT_EQ(InstancesOf(backlog.Take({}, 40), 1).front(), 64u) << "the last group is a short one";
  EXPECT_EQ(backlog.size(), 0u);
}

TEST(BacklogGroupsTest, AGroupThatReturnsStaysOne) {
  Backlog backlog(100, nullptr, 32);
  const Claim all = backlog.Take({}, 100);
  ASSERT_EQ(all.size(), 100u);
  // The short group first, behind it another.
  for (uint64_t i = 96; i < 100; ++i) backlog.Return(all.At(i));
  for (uint64_t i = 32; i < 64; ++i) backlog.Return(all.At(i));
  EXPECT_EQ(backlog.Take({}, 3).size(), 0u);
  EXPECT_EQ(InstancesOf(backlog.Take({}, 35), 1), (std::vector<uint64_t>{96, 97, 98, 99}));
  EXPECT_EQ(backlog.Take({}, 32).size(), 32u);
  EXPECT_EQ(backlog.size(), 0u);
}

TEST(BacklogGroupsTest, AGroupOfWhichOneIsMissingRunsAgainAsAWhole) {
  const JobBefore before = BeforeOf({{0, 40}, {41, 59}});
  Backlog backlog(100, &before, 32);
  const Claim claim = backlog.Take({}, 100);
  ASSERT_EQ(claim.size(), 32u);
  EXPECT_EQ(claim.At(0).instance, 32u);
  EXPECT_EQ(backlog.size(), 0u);
}

}  // namespace
}  // namespace wb
