// What comes back of instances that stay, and what is put in again: what has changed, and no more.

#include <gtest/gtest.h>

#include <vector>

#include "scheduler/devices/migration/image_words.h"
#include "scheduler/job/resident/resident_change.h"
#include "tests/scheduler/devices/moving_rig.h"
#include "tests/scheduler/devices/resident_rig.h"

namespace wb::test {
namespace {

// An engine that knows what an instance began with says what has changed, and no more.
TEST(ResidentCalls, OnlyWhatChangedComesBack) {
  const auto module = LowerText(StayingGuests()[0].text);
  Residents residents(module);
  (void)residents.Call({"cpu", &Cpu()}, {"count", 1}, true, {});
  EXPECT_FALSE(residents.last().is_change);
  EXPECT_GT(residents.last().state.size(), 2 * kBlockWords);
  (void)residents.Call({"cpu", &Cpu()}, {"global", 1}, true, {});
  EXPECT_TRUE(residents.last().is_change);
  EXPECT_LT(residents.last().state.size(), kBlockWords);  // globals alone
  (void)residents.Call({"interpreter", &Interpreter()}, {"count", 1}, true, {});
  EXPECT_TRUE(residents.last().is_change);
  EXPECT_GT(residents.last().state.size(), kBlockWords);
  EXPECT_LT(residents.last().state.size(), 2 * kBlockWords);
}

// The words that a lane was left with are not put in again; those of another state are.
TEST(ResidentCalls, ALaneThatHoldsTheStateTakesNoneIn) {
  Gpu gpu;
  const auto module = LowerText(StayingGuests()[0].text);
  for (const NamedDevice& engine : MovingEngines(gpu)) {
    if (engine.name == "metal") continue;  // it keeps no lanes
    Residents residents(module);
    const auto counted = [&](uint32_t lane) {
      const auto records = residents.Call(engine, {"count", 0}, true, {});
      return OutcomeOf(records, residents.work(), lane, 0).result -
             'b';  // of its column, summed up
    };
    EXPECT_EQ(counted(3), 3u) << engine.name;
    EXPECT_EQ(counted(3), 6u) << engine.name;
    const ResidentState other =
        WriteResident(residents.state(3), 0, 8, Bytes{100, 0, 0, 0}).value();
    residents.Replace(3, other);
    EXPECT_EQ(counted(3), 9u) << engine.name;  // the lane's own
    residents.Replace(3, other);
    residents.ForgetLanes();
    EXPECT_EQ(counted(3), 103u) << engine.name;
  }
}

// A store is noted where it begins (abi::LANE_KEPT), and may end in the next span.
TEST(ResidentCalls, AWriteThatEndsInTheNextBlockComesBack) {
  Gpu gpu;
  const auto module = LowerText(R"((module (memory 1 8)
    (func (export "write") (param $n i32) (result i32)
      (i64.store (i32.const 4093) (i64.add (i64.load (i32.const 4093))
                                           (i64.const 0x0101010101010101)))
      (i32.load8_u (i32.const 4100)))))");
  for (const NamedDevice& engine : MovingEngines(gpu)) {
    Residents residents(module);
    for (uint32_t i = 1; i <= 4; ++i) {
      const auto records = residents.Call(engine, {"write", 0}, true, {});
      EXPECT_EQ(OutcomeOf(records, residents.work(), 2, 0).result, i) << engine.name;
      EXPECT_EQ(ReadResident(residents.state(2), 0, 4093, 8).value(), Bytes(8, uint8_t(i)))
          << engine.name;
      if (i == 2) residents.ForgetLanes();
    }
  }
}

TEST(ResidentStates, AChangeThatNoSoundEngineMakesIsRefused) {
  const auto module = LowerText(StayingGuests()[0].text);
  const ResidentState base = FreshState(*module).value();
  Residents residents(module);
  (void)residents.Call({"cpu", &Cpu()}, {"count", 0}, true, {});
  (void)residents.Call({"cpu", &Cpu()}, {"count", 1}, true, {});
  const LaneImage sound = residents.last();
  ASSERT_TRUE(ChangeOf(*module, base, sound).ok());
  const uint64_t bits = 1 + ImageHeadWords(*module);
  LaneImage longer = sound;
  longer.state.push_back(0);
  LaneImage shorter = sound;
  shorter.state.pop_back();
  LaneImage unknown = sound;
  unknown.state[bits] |= 4;  // a block that neither has
  LaneImage cleared = sound;
  cleared.state[bits] &= ~1u;  // changed, and zero
  LaneImage more = sound;
  more.state[bits + 1] |= 2;
  LaneImage huge = sound;
  huge.state[1 + abi::LANE_PAGES] = ~0u;
  LaneImage framed = sound;
  framed.state[0] = 1;
  LaneImage none;
  for (const LaneImage& image : {longer, shorter, unknown, cleared, more, huge, framed, none}) {
    EXPECT_EQ(ChangeOf(*module, base, image).status().reason(), Reason::kInvalidArgument);
  }
}

}  // namespace
}  // namespace wb::test
