// OccupancySpace: which numbers of lanes and blocks there are, and which are next to each other.

#include "scheduler/control/occupancy_space.h"

#include <gtest/gtest.h>

#include <vector>

namespace wb::test {
namespace {

constexpr uint32_t kCores = 132;  // processors of the GPU
constexpr uint32_t kHeld = kCores * 2048;

OccupancySpace SpaceOf(uint32_t abreast) {
  OccupancySpace space(kCores, kHeld);
  space.SetLaunches(kHeld / abreast, abreast);
  return space;
}

TEST(OccupancySpaceTest, LanesSpreadEvenlyOverProcessorsInWholeBlocks) {
  const OccupancySpace space = SpaceOf(1);
  EXPECT_EQ(space.Of(512 * kCores), (Occupancy{512 * kCores, 0}));
  EXPECT_EQ(space.Of(512 * kCores + 5000), (Occupancy{512 * kCores, 0}));
  EXPECT_EQ(space.Of(192 * kCores), (Occupancy{192 * kCores, 64}));
  EXPECT_EQ(space.Of(96 * kCores), (Occupancy{96 * kCores, 32}));
}

TEST(OccupancySpaceTest, LaunchesAbreastHaveEqualParts) {
  const OccupancySpace space = SpaceOf(3);
  EXPECT_EQ(space.Of(400 * kCores), (Occupancy{384 * kCores, 0}));
  EXPECT_EQ(space.Of(32 * kCores), (Occupancy{32 * kCores, 32})) << "a group for them together";
}

TEST(OccupancySpaceTest, TooFewLanesAreAllLanes) {
  EXPECT_EQ(SpaceOf(1).Of(31 * kCores), Occupancy());
  EXPECT_EQ(SpaceOf(1).Of(0), Occupancy());
  const OccupancySpace nothing(0, 0);
  EXPECT_EQ(nothing.Of(0), Occupancy());
}

TEST(OccupancySpaceTest, APartKeepsItsKernel) {
  const Occupancy whole{.lanes = 128 * kCores, .tiled = true};
  EXPECT_EQ(SpaceOf(1).PartOf(whole, 90000, 3),
            (Occupancy{.lanes = 32 * kCores, .block_threads = 32, .tiled = true}));
  EXPECT_EQ(SpaceOf(1).PartOf({.hot = true}, 90000, 3), (Occupancy{.hot = true}));
}

TEST(OccupancySpaceTest, LaunchesAreLikeThoseOfAboutAsManyLanesTogether) {
  OccupancySpace space(kCores, kHeld);
  space.SetLaunches(30000, 3);
  EXPECT_TRUE(space.IsLike(30000, 3));
  EXPECT_TRUE(space.IsLike(28000, 3));
  EXPECT_TRUE(space.IsLike(33000, 3));
  EXPECT_FALSE(space.IsLike(26000, 3));
  EXPECT_FALSE(space.IsLike(34000, 3));
  EXPECT_FALSE(space.IsLike(90000, 1));
}

TEST(OccupancySpaceTest, HalvesLeadFromAllLanesToTheFewest) {
  const OccupancySpace space = SpaceOf(1);
  std::vector<uint32_t> each;
  for (Occupancy next = space.HalfOf({}); next.lanes != 0; next = space.HalfOf(next)) {
    each.push_back(next.lanes / kCores);
  }
  EXPECT_EQ(each, (std::vector<uint32_t>{1024, 512, 256, 128, 64, 32}));
  EXPECT_EQ(space.Fewest(), (Occupancy{32 * kCores, 32}));
}

TEST(OccupancySpaceTest, HalvesOfASmallDispatchAreFewerThanItsLanes) {
  OccupancySpace space(kCores, kHeld);
  space.SetLaunches(90000, 1);
  EXPECT_EQ(space.HalfOf({}).lanes, 512 * kCores);
}

TEST(OccupancySpaceTest, TwiceOfManyIsAll) {
  const OccupancySpace space = SpaceOf(1);
  EXPECT_EQ(space.TwiceOf(space.Fewest()).lanes, 64 * kCores);
  EXPECT_EQ(space.TwiceOf({512 * kCores, 0}).lanes, 1024 * kCores);
  EXPECT_EQ(space.TwiceOf({1024 * kCores, 0}), Occupancy());
}

TEST(OccupancySpaceTest, ADispatchOfFewerLanesThanTheFewestHasAll) {
  OccupancySpace space(kCores, kHeld);
  space.SetLaunches(1000, 1);
  EXPECT_EQ(space.Fewest(), Occupancy());
}

TEST(OccupancySpaceTest, AroundOfOneAreTheCountsBetweenItsNeighbours) {
  const OccupancySpace space = SpaceOf(1);
  EXPECT_EQ(space.AroundOf({512 * kCores, 0}),
            (std::vector<Occupancy>{{384 * kCores, 0}, {768 * kCores, 0}}));
  EXPECT_EQ(space.AroundOf({}), (std::vector<Occupancy>{{1536 * kCores, 0}})) << "none beyond all";
}

TEST(OccupancySpaceTest, OtherBlocksAreThoseThatLanesAreAWholeNumberOf) {
  const OccupancySpace space = SpaceOf(1);
  EXPECT_EQ(space.OtherBlocksOf({512 * kCores, 0}),
            (std::vector<Occupancy>{{512 * kCores, 256}, {512 * kCores, 64}}));
  EXPECT_EQ(space.OtherBlocksOf({384 * kCores, 0}), (std::vector<Occupancy>{{384 * kCores, 64}}));
  EXPECT_EQ(space.OtherBlocksOf({192 * kCores, 64}), std::vector<Occupancy>());
  EXPECT_EQ(space.OtherBlocksOf({}), (std::vector<Occupancy>{{0, 256}, {0, 64}}));
}

}  // namespace
}  // namespace wb::test
