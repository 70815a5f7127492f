// Images into lanes and out of them, in each order of a lane's words.

#include "scheduler/devices/migration/lane_codec.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "scheduler/devices/migration/move_lanes.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

class LaneCodecTest : public testing::TestWithParam<MemoryLayout> {
 protected:
  static constexpr uint32_t kLane = 5;
  static constexpr std::string_view kText = R"((module (memory 1 2)
    (global (mut i32) (i32.const 0))
    (func (export "run") (param i32) (result i32) (i32.load (local.get 0)))))";

  LaneCodecTest() {
    const uint64_t words = map_.layout().LaneWords(shape_.Reserve(), shape_.StackReserve());
    group_.resize(words * abi::GROUP_LANES, 0xabababab);
    record_.resize(shape_.RecordWords());
    HostLanes lanes(group_.data(), words, GetParam());
    lane_ = lanes.words(kLane);
    for (uint32_t word = 0; word < abi::LANE_STAGE; ++word) lane_.at(word) = 0;
  }
  // An instance whose step is to begin, with one page, in which block 3 alone is not zero.
  LaneImage Image() const {
    LaneImage image;
    image.form = map_.form();
    image.record.resize(map_.RecordWords(0));
    image.record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
    image.state.resize(1 + map_.HeadWords());
    image.state[1 + abi::LANE_STEP] = 1;
    image.state[1 + abi::LANE_ROOT_ROOM] = 7;
    image.state[1 + map_.layout().globals_at] = 99;
    image.state[1 + abi::LANE_PAGES] = 1;
    image.state.push_back(1u << 3);
    for (uint32_t word = 1; word <= kBlockWords; ++word) image.state.push_back(word);
    return image;
  }
  uint32_t& InMemory(uint64_t word) const {
    return lane_.memory_from(map_.MemoryAt(0))
        .from(word / kBlockWords * kBlockWords)
        .at(word % kBlockWords);
  }

  const Work work_ = WorkOf(kText, "run");
  const DispatchShape shape_ = work_.Shape();
  const LaneMap map_{*work_.module, shape_};
  const LaneCodec codec_{map_};
  std::vector<uint32_t> group_;
  std::vector<uint32_t> record_;
  LaneWords lane_;
};

TEST_P(LaneCodecTest, AnImageComesBackAsItWasPut) {
  const LaneImage image = Image();
  ASSERT_TRUE(codec_.verifier().Check(image).ok()) << codec_.verifier().Check(image).ToString();
  record_[abi::RECORD_TURN] = 8;
  codec_.Put(image, {}, lane_, record_);
  EXPECT_EQ(record_[abi::RECORD_SEAT], abi::SEAT_RUNNING);
  EXPECT_EQ(record_[abi::RECORD_TURN], 8u);
  EXPECT_EQ(lane_.at(abi::LANE_TURN), 8u);
  EXPECT_EQ(lane_.at(abi::LANE_CLEAN_PAGES), 1u);
  EXPECT_EQ(InMemory(0), 0u);
  EXPECT_EQ(InMemory(3 * kBlockWords), 1u);
  EXPECT_EQ(InMemory(4 * kBlockWords - 1), kBlockWords);
  const auto back = codec_.Take(lane_, record_);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->form, image.form);
  EXPECT_EQ(back->state, image.state);
  EXPECT_EQ(back->record, image.record);
}

TEST_P(LaneCodecTest, ALaneWhoseHeaderIsNotSoundGivesNoImage) {
  codec_.Put(Image(), {}, lane_, record_);
  lane_.at(abi::LANE_PAGES) = 3;
  EXPECT_FALSE(codec_.Take(lane_, record_).has_value());
  EXPECT_FALSE(codec_.TakeEnded(lane_, record_).has_value());
  EXPECT_FALSE(codec_.TakeChange(lane_, record_, Image().state).has_value());
}

TEST_P(LaneCodecTest, MemoriesThatAreThereAreNotWritten) {
  LaneCodec::PutTerms terms;
  terms.memories_are_there = true;
  terms.held = 4;
  codec_.Put(Image(), terms, lane_, record_);
  EXPECT_EQ(lane_.at(abi::LANE_SEAT), 4u);
  EXPECT_EQ(InMemory(3 * kBlockWords), 0xababababu);
}

TEST_P(LaneCodecTest, AChangeHasWhatDiffersFromTheBase) {
  const LaneImage base = Image();
  codec_.Put(base, {}, lane_, record_);
  const uint64_t bits = 1 + map_.HeadWords();
  const auto same = codec_.TakeChange(lane_, record_, base.state);
  ASSERT_TRUE(same.has_value() && same->is_change);
  EXPECT_EQ(same->state.size(), bits + 2);
  EXPECT_EQ(same->state[bits], 1u << 3);
  EXPECT_EQ(same->state[bits + 1], 0u);
  EXPECT_EQ(same->state[1 + map_.layout().globals_at], 99u);
  lane_.at(abi::LANE_KEPT) = 0;  // everything may have been written
  InMemory(5 * kBlockWords) = 6;
  const auto changed = codec_.TakeChange(lane_, record_, base.state);
  ASSERT_TRUE(changed.has_value());
  ASSERT_EQ(changed->state.size(), bits + 2 + kBlockWords);
  EXPECT_EQ(changed->state[bits], 1u << 3 | 1u << 5);
  EXPECT_EQ(changed->state[bits + 1], 1u << 5);
  EXPECT_EQ(changed->state[bits + 2], 6u);
}

INSTANTIATE_TEST_SUITE_P(Orders, LaneCodecTest,
                         testing::Values(MemoryLayout::kContiguous, MemoryLayout::kInterleaved,
                                         MemoryLayout::kTiled));

}  // namespace
}  // namespace wb::test
