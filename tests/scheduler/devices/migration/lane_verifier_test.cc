// Images that no sound engine exports, each with what is wrong with it.

#include "scheduler/devices/migration/lane_verifier.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

class LaneVerifierTest : public testing::Test {
 protected:
  static constexpr std::string_view kText = R"((module (memory 1 8)
    (func (export "run") (param i32) (result i32) (i32.load (local.get 0)))))";

  // An instance whose first step is to begin, with a memory of no pages.
  LaneImage Sound() const {
    LaneImage image;
    image.form = map_.form();
    image.record.resize(map_.RecordWords(0));
    image.state.resize(1 + map_.HeadWords());
    image.state[1 + abi::LANE_STEP] = 1;
    return image;
  }
  // With this change the image is refused, in words with these among them.
  void IsRefused(std::string_view words, const std::function<void(LaneImage&)>& harm) const {
    LaneImage image = Sound();
    harm(image);
    const Status status = verifier_.Check(image);
    EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
    EXPECT_NE(status.message().find(words), std::string::npos) << status.ToString();
  }
  void HeaderIsRefused(std::string_view words, uint32_t word, uint32_t value) const {
    IsRefused(words, [=](LaneImage& image) { image.state[1 + word] = value; });
  }

  const Work work_ = WorkOf(kText, "run");
  const DispatchShape shape_ = work_.Shape();
  const LaneMap map_{*work_.module, shape_};
  const LaneVerifier verifier_{map_};
};

TEST_F(LaneVerifierTest, ASoundImageIsAccepted) {
  LaneImage image = Sound();
  EXPECT_TRUE(verifier_.Check(image).ok()) << verifier_.Check(image).ToString();
  image.state[1 + abi::LANE_PAGES] = 1;
  image.state.push_back(0);  // its blocks are all zeros
  EXPECT_TRUE(verifier_.Check(image).ok()) << verifier_.Check(image).ToString();
}

TEST_F(LaneVerifierTest, WhatIsOfSomethingElse) {
  IsRefused("another module", [](LaneImage& image) { image.form.bytes[0] ^= 1; });
}

TEST_F(LaneVerifierTest, WhatIsTooShortOrTooLong) {
  IsRefused("record is too short", [](LaneImage& image) { image.record.pop_back(); });
  IsRefused("not as long as it says", [](LaneImage& image) { image.record.push_back(0); });
  IsRefused("state is too short", [](LaneImage& image) { image.state.pop_back(); });
  IsRefused("memories", [](LaneImage& image) { image.state.push_back(0); });
}

TEST_F(LaneVerifierTest, AHeaderThatIsNotSound) {
  HeaderIsRefused("header", abi::LANE_STEP, 2);
  HeaderIsRefused("header", abi::LANE_STEP, 0);  // there is no start function
  HeaderIsRefused("header", abi::LANE_RESUME, 2);
  HeaderIsRefused("header", abi::LANE_OUT_BYTES, 1);
  HeaderIsRefused("header", abi::LANE_REQUEST, 1);
  HeaderIsRefused("reserved", abi::LANE_PAGES, map_.Reserved(0) + 1);
}

TEST_F(LaneVerifierTest, FramesOfAFunctionThatIsNotThere) {
  IsRefused("frames", [](LaneImage& image) {
    image.state[1 + abi::LANE_RESUME] = 1;
    image.state[1 + abi::LANE_ROOT_FUNCTION] = ~0u;
  });
  IsRefused("frames", [](LaneImage& image) {
    image.state[1 + abi::LANE_RESUME] = 1;
    image.state[1 + abi::LANE_ROOT_FRESH] = 1;
  });
}

TEST_F(LaneVerifierTest, BlocksThatAreNotThere) {
  HeaderIsRefused("memories", abi::LANE_PAGES, 1);  // not even their bits
  IsRefused("memories", [](LaneImage& image) {
    image.state[1 + abi::LANE_PAGES] = 1;
    image.state.push_back(1);
  });
}

TEST_F(LaneVerifierTest, AMemoryFitsUpToItsReserve) {
  std::vector<uint32_t> words(map_.layout().memory_at);
  for (const uint32_t pages : {0u, 1u, 8u, 9u, ~0u}) {
    words[abi::LANE_PAGES] = pages;
    EXPECT_EQ(verifier_.FitsReserves({words.data(), 1}), pages <= 8) << pages;
  }
}

}  // namespace
}  // namespace wb::test
