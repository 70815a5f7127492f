// The states of instances that stay: fresh ones, their memory, and what is refused as one.

#include <gtest/gtest.h>

#include <string>

#include "tests/scheduler/devices/resident_rig.h"

namespace wb::test {
namespace {

TEST(ResidentStates, AFreshOneIsWhatAnInstanceBeginsWith) {
  const auto module = LowerText(StayingGuests()[0].text);
  const ResidentState fresh = FreshState(*module).value();
  EXPECT_EQ(AsText(ReadResident(fresh, 0, 4090, 17).value()), "across two blocks");
  Residents residents(module);
  (void)residents.Call({"cpu", &Cpu()}, {"count", 0}, true, {});
  // Lane 0 has counted nothing.
  EXPECT_EQ(residents.state(0).state, fresh.state);
  EXPECT_EQ(FreshState(*LowerText(StayingGuests()[1].text)).status().reason(),
            Reason::kInvalidArgument);
}

TEST(ResidentStates, MemoryIsReadAndWrittenWithinItsBounds) {
  const auto module = LowerText(StayingGuests()[3].text);
  const ResidentState fresh = FreshState(*module).value();
  const Bytes data(10000, 7);
  const ResidentState written = WriteResident(fresh, 1, 55536, data).value();
  EXPECT_EQ(ReadResident(written, 1, 55536, 10000).value(), data);
  EXPECT_EQ(ReadResident(written, 1, 55535, 1).value(), Bytes(1));
  EXPECT_EQ(AsText(ReadResident(written, 0, 4090, 17).value()), "across two blocks");
  EXPECT_EQ(WriteResident(written, 1, 55536, Bytes(10000)).value().state, fresh.state);
  for (const Status& status :
       {ReadResident(fresh, 0, 65536, 1).status(), ReadResident(fresh, 0, ~uint64_t{0}, 2).status(),
        ReadResident(fresh, 0, 1, ~uint64_t{0}).status(), ReadResident(fresh, 2, 0, 0).status(),
        WriteResident(fresh, 1, 65530, Bytes(7)).status()}) {
    EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  }
  EXPECT_EQ(ReadResident(fresh, 0, 65536, 0).value(), Bytes());
  const std::string words = ReadResident(fresh, 0, 65530, 7).status().message();
  EXPECT_NE(words.find("[65530]"), std::string::npos) << words;
  EXPECT_NE(words.find("[65536]"), std::string::npos) << words;
}

// What a broken engine might say was left is refused.
TEST(ResidentStates, WhatNoSoundEngineLeavesIsRefused) {
  const auto module = LowerText(StayingGuests()[0].text);
  LaneImage sound;
  sound.state = FreshState(*module).value().state;
  EXPECT_TRUE(RestingStateOf(*module, sound).ok());
  LaneImage longer = sound;
  longer.state.push_back(0);
  LaneImage shorter = sound;
  shorter.state.pop_back();
  LaneImage larger = sound;
  larger.state[1 + abi::LANE_PAGES] = 3;
  LaneImage huge = sound;
  huge.state[1 + abi::LANE_PAGES] = ~0u;
  LaneImage framed = sound;
  framed.state[0] = 1;
  LaneImage none;
  for (const LaneImage& image : {longer, shorter, larger, huge, framed, none}) {
    EXPECT_EQ(RestingStateOf(*module, image).status().reason(), Reason::kInvalidArgument);
  }
  // Words of the header do not come along.
  sound.state[1 + abi::LANE_RESUME] = 1;
  sound.state[1 + abi::LANE_FUEL_LO] = 99;
  EXPECT_EQ(RestingStateOf(*module, sound).value().state[1 + abi::LANE_RESUME], 0u);
}

}  // namespace
}  // namespace wb::test
