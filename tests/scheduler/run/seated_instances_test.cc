// Which instance sits where: alike ones by their number, others with all they have.

#include "scheduler/run/seats/seated_instances.h"

#include <gtest/gtest.h>

#include "scheduler/job/moved_lane.h"

namespace wb {
namespace {

constexpr uint64_t kLargest = (uint64_t{1} << 63) - 1;  // number of an instance

bool Same(const InstanceRef& a, const InstanceRef& b) {
  return a.instance == b.instance && a.attempt == b.attempt && a.seat_class == b.seat_class &&
         a.moved == b.moved && a.brought == b.brought && a.room == b.room;
}

// Instances that differ from {0, 2, its class} in one thing each.
std::vector<InstanceRef> Different(SeatClass seat_class) {
  std::vector<InstanceRef> all(4, InstanceRef{5, 2, seat_class});
  all[0].attempt = 1;
  ++all[1].seat_class.stack;
  all[2].moved = std::make_shared<MovedLane>();
  all[3].brought = 7;
  return all;
}

TEST(SeatedInstancesTest, WhatIsPutIsThereWhateverIsExpected) {
  for (const uint32_t attempt : {1u, 2u}) {
    SeatedInstances seated(5);
    seated.Expect({0, attempt, {.pages = 3}, nullptr, 9});
    const std::vector<InstanceRef> all = Different({.pages = 3});
    for (uint32_t seat = 0; seat < all.size(); ++seat) seated.Put(seat, all[seat]);
    for (uint32_t seat = 0; seat < all.size(); ++seat) {
      ASSERT_TRUE(seated.Has(seat));
      EXPECT_TRUE(Same(seated.At(seat), all[seat])) << seat;
      EXPECT_EQ(seated.IsPlain(seat), attempt == 1 && seat == 0) << seat;
    }
    EXPECT_FALSE(seated.Has(4));
    for (uint32_t seat = 0; seat < all.size(); ++seat) {
      EXPECT_TRUE(Same(seated.Take(seat), all[seat])) << seat;
      EXPECT_FALSE(seated.Has(seat));
    }
  }
}

TEST(SeatedInstancesTest, APlainOneIsItsNumberUntilItIsEdited) {
  SeatedInstances seated(2);
  seated.Put(1, {kLargest});
  ASSERT_TRUE(seated.IsPlain(1));
  EXPECT_EQ(seated.Number(1), kLargest);
  seated.Edit(1).brought = 4;
  EXPECT_FALSE(seated.IsPlain(1));
  EXPECT_TRUE(Same(seated.At(1), {kLargest, 1, {}, nullptr, 4}));
  seated.Clear(1);
  EXPECT_FALSE(seated.Has(1));
  seated.Put(1, {3});
  EXPECT_TRUE(Same(seated.At(1), {3})) << "nothing is left of the one before";
}

TEST(SeatedInstancesTest, ARowFollowsItsFirst) {
  for (const uint32_t attempt : {1u, 2u}) {
    SeatedInstances seated(8);
    seated.PutRow(std::vector<uint32_t>{7, 1, 4}, {kLargest - 2, attempt});
    uint64_t next = kLargest - 2;
    for (const uint32_t seat : {7u, 1u, 4u}) {
      EXPECT_TRUE(Same(seated.At(seat), {next++, attempt}));
      EXPECT_EQ(seated.IsPlain(seat), attempt == 1);
    }
    EXPECT_FALSE(seated.Has(0));
  }
}

TEST(SeatedInstancesDeathTest, NobodyIsNoInstance) {
  SeatedInstances seated(1);
  EXPECT_DEATH((void)seated.At(0), "");
  EXPECT_DEATH((void)seated.Edit(0), "");
  EXPECT_DEATH(seated.Put(0, {kLargest + 1}), "");
}

}  // namespace
}  // namespace wb
