#include "scheduler/control/deficit_ring.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "tests/scheduler/simulation/jain.h"

namespace wb::test {
namespace {

using Ring = DeficitRing<int>;
using Time = Ring::Time;

const auto kAnyMember = [](int) { return true; };

TEST(DeficitRingTest, EqualTurnsGoRound) {
  Ring ring;
  for (int i : {1, 2, 3}) ring.Add(i, 1);
  std::vector<int> turns;
  for (int i = 0; i < 11; ++i) {
    turns.push_back(*ring.Next(kAnyMember));
    ring.Charge(turns.back(), Time(0.1));
  }
  // A member that was there goes between two newcomers.
  EXPECT_EQ(turns, (std::vector<int>{1, 2, 1, 3, 2, 1, 3, 2, 1, 3, 2}));
  EXPECT_EQ(*ring.Next([](int i) { return i == 2; }), 2);
  EXPECT_EQ(ring.Next([](int) { return false; }), std::nullopt);
  ring.Remove(2);
  EXPECT_FALSE(ring.Any([](int i) { return i == 2; }));
}

// Turns of 10 ms and of 500 ms: as many seconds for each.
TEST(DeficitRingTest, SecondsAreSharedNotTurns) {
  Ring ring;
  std::map<int, double> used;
  ring.Add(1, 1);
  ring.Add(2, 1);
  for (int i = 0; i < 10'000; ++i) {
    const int member = *ring.Next(kAnyMember);
    const double turn = member == 1 ? 0.01 : 0.5;
    ring.Charge(member, Time(turn));
    used[member] += turn;
  }
  EXPECT_NEAR(used[1] / used[2], 1, 0.01);
}

TEST(DeficitRingTest, WeightsHold) {
  Ring ring;
  std::map<int, double> used;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> turn(0.001, 0.5);
  for (int member : {1, 2, 4}) ring.Add(member, member);
  for (int i = 0; i < 30'000; ++i) {
    const int member = *ring.Next(kAnyMember);
    const double took = turn(random);
    ring.Charge(member, Time(took));
    used[member] += took;
  }
  EXPECT_NEAR(used[2] / used[1], 2, 0.03);
  EXPECT_NEAR(used[4] / used[1], 4, 0.06);
}

TEST(DeficitRingTest, ANewcomerGoesNextEvenBesideOneThatHasJustCome) {
  Ring ring;
  ring.Add(1, 1);
  EXPECT_EQ(*ring.Next(kAnyMember), 1);
  ring.Charge(1, Time(0.5));
  ring.Add(2, 1);
  EXPECT_EQ(*ring.Next(kAnyMember), 2);
}

TEST(DeficitRingTest, AFloodOfNewcomersLeavesEveryOtherTurn) {
  Ring ring;
  ring.Add(0, 1);
  int served = 0;
  for (int i = 1; i <= 200; ++i) {
    ring.Add(i, 1);
    const int member = *ring.Next(kAnyMember);
    ring.Charge(member, Time(0.5));
    if (member == 0) ++served;
    if (member != 0) ring.Remove(member);
  }
  EXPECT_GE(served, 99);
}

TEST(DeficitRingTest, CreditIsNotSavedUp) {
  Ring ring;
  ring.Add(1, 1);
  ring.Add(2, 1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(*ring.Next([](int member) { return member == 1; }), 1);
    ring.Charge(1, Time(0.5));
  }
  std::map<int, int> turns;
  for (int i = 0; i < 20; ++i) {
    const int member = *ring.Next(kAnyMember);
    ring.Charge(member, Time(0.5));
    ++turns[member];
  }
  EXPECT_NEAR(turns[1], 10, 1);
}

TEST(DeficitRingTest, EqualMembersUnderRandomTurnsAreServedAlike) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Ring ring;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> turn(0.001, 0.5);
    std::vector<double> used(10);
    for (int i = 0; i < 10; ++i) ring.Add(i, 1);
    double now = 0;
    while (now < 60) {
      const int member = *ring.Next(kAnyMember);
      const double took = turn(random) * (member + 1) / 10;  // some have longer turns
      ring.Charge(member, Time(took));
      used[static_cast<size_t>(member)] += took;
      now += took;
    }
    EXPECT_GE(Jain(used), 0.99) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wb::test
