#include "scheduler/job/device_gate.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{1h};
constexpr GateOrder kCordon{Gate::kCordoned, {}};
constexpr GateOrder kUncordon{Gate::kOpen, {}};
GateOrder Drain(std::chrono::nanoseconds deadline) { return {Gate::kDraining, deadline}; }

TEST(DeviceGate, OrdersAreIdempotent) {
  DeviceGate gate;
  EXPECT_TRUE(gate.IsOpen());
  EXPECT_FALSE(gate.Apply(kUncordon, kNow));
  EXPECT_TRUE(gate.Apply(kCordon, kNow));
  EXPECT_FALSE(gate.Apply(kCordon, kNow + 1s));
  EXPECT_EQ(gate.gate(), Gate::kCordoned);
  EXPECT_EQ(gate.since(), kNow);
  EXPECT_FALSE(gate.MustLeave(TimePoint::max()));
  EXPECT_TRUE(gate.Apply(kUncordon, kNow + 2s));
  EXPECT_TRUE(gate.IsOpen());
}

TEST(DeviceGate, ADrainIsACordonWithADeadline) {
  DeviceGate gate;
  EXPECT_TRUE(gate.Apply(kCordon, kNow));
  EXPECT_TRUE(gate.Apply(Drain(5min), kNow + 1s));
  EXPECT_EQ(gate.since(), kNow);  // closed since the first order
  EXPECT_FALSE(gate.IsOpen());
  EXPECT_FALSE(gate.MustLeave(kNow + 5min));
  EXPECT_TRUE(gate.MustLeave(kNow + 1s + 5min));
  EXPECT_FALSE(gate.Apply(kCordon, kNow + 2s));
  EXPECT_EQ(gate.gate(), Gate::kDraining);
}

// A client that repeats its call does not push the deadline back.
TEST(DeviceGate, OfTwoDrainsTheEarlierDeadlineHolds) {
  DeviceGate gate;
  EXPECT_TRUE(gate.Apply(Drain(5min), kNow));
  EXPECT_FALSE(gate.Apply(Drain(5min), kNow + 1s));
  EXPECT_EQ(gate.deadline(), kNow + 5min);
  EXPECT_TRUE(gate.Apply(Drain(0s), kNow + 2s));
  EXPECT_TRUE(gate.MustLeave(kNow + 2s));
}

TEST(DeviceGate, TheLongestDeadlineDoesNotOverflow) {
  DeviceGate gate;
  EXPECT_TRUE(gate.Apply(Drain(std::chrono::nanoseconds::max()), kNow));
  EXPECT_EQ(gate.deadline(), TimePoint::max());
}

TEST(DeviceGate, AnOrderMayBeOlderThanTheDaemon) {
  DeviceGate gate;
  EXPECT_TRUE(gate.Apply({Gate::kCordoned, {}, 1h}, kNow));
  EXPECT_EQ(gate.since(), kNow - 1h);
}

}  // namespace
}  // namespace wb
