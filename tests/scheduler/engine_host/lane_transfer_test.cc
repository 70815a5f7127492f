// Images of lanes in memory that two processes see: whole, or refused.

#include <gtest/gtest.h>

#include <limits>

#include "scheduler/engine_host/lane_transfer.h"

namespace wb::test {
namespace {

LaneImage ImageOf(uint32_t first, size_t state_words) {
  LaneImage image;
  image.form.bytes[3] = 7;
  image.record = {first, 2, 3};
  image.state.assign(state_words, first + 1);
  image.left_as = uint64_t{first} << 40;
  return image;
}

TEST(LaneTransferTest, SeveralOneBehindTheOther) {
  std::vector<uint8_t> memory(200);
  wasmburst::engine::LaneImages message;
  ImageWriter writer(memory);
  EXPECT_TRUE(writer.Add(ImageOf(1, 20), *message.add_images()));
  EXPECT_TRUE(writer.Add(ImageOf(9, 0), *message.add_images()));
  EXPECT_FALSE(writer.Add(ImageOf(5, 24), *message.add_images()));  // no room
  EXPECT_TRUE(writer.Add(ImageOf(6, 2), *message.add_images()));
  ImageReader reader(memory);
  for (const LaneImage& wanted : {ImageOf(1, 20), ImageOf(9, 0)}) {
    const auto image = reader.Next(message.images(wanted.record[0] == 1 ? 0 : 1));
    ASSERT_TRUE(image.has_value());
    EXPECT_EQ(image->form, wanted.form);
    EXPECT_EQ(image->record, wanted.record);
    EXPECT_EQ(image->state, wanted.state);
    EXPECT_EQ(image->left_as, wanted.left_as);
  }
  EXPECT_FALSE(reader.Next(message.images(2)).has_value());
  EXPECT_EQ(reader.Next(message.images(3))->state, ImageOf(6, 2).state);
}

TEST(LaneTransferTest, WhatIsLentStaysWhereItIs) {
  std::vector<uint32_t> memory(100);
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(memory.data()), 400);
  LaneImage image = ImageOf(4, 0);
  image.lent = {std::span(memory).subspan(90, 10), nullptr, 3, 360};
  wasmburst::engine::LaneImage message;
  PutLent(image, message);
  const auto owner = std::make_shared<int>(1);
  const auto lent = LentImage(message, bytes, owner);
  ASSERT_TRUE(lent.has_value());
  EXPECT_EQ(lent->form, image.form);
  EXPECT_EQ(lent->record, image.record);
  EXPECT_EQ(lent->left_as, image.left_as);
  EXPECT_EQ(lent->words().data(), memory.data() + 90);
  EXPECT_EQ(lent->words().size(), 10u);
  EXPECT_EQ(owner.use_count(), 2);
  for (const auto& [at, words] : {std::pair<uint64_t, uint64_t>{364, 10},
                                  {360, 11},
                                  {358, 10},
                                  {404, 0},
                                  {360, 0},
                                  {std::numeric_limits<uint64_t>::max() - 3, 2},
                                  {0, std::numeric_limits<uint64_t>::max()}}) {
    message.set_state_at(at);
    message.set_state_words(words);
    EXPECT_FALSE(LentImage(message, bytes, owner).has_value()) << at << " " << words;
  }
  message.set_state_at(0);
  message.set_state_words(100);
  EXPECT_TRUE(LentImage(message, bytes, owner).has_value());
  message.set_record("odd");
  EXPECT_FALSE(LentImage(message, bytes, owner).has_value());
}

TEST(LaneTransferTest, NumbersOfABrokenHost) {
  const std::vector<uint8_t> memory(64);
  wasmburst::engine::LaneImage message;
  message.set_form(std::string(32, 'x'));
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  for (const auto& [record, state] : {std::pair<uint64_t, uint64_t>{17, 0},
                                      {0, 17},
                                      {16, 1},
                                      {most, 0},
                                      {1, most},
                                      {most, most},
                                      {most / 4 + 1, 0}}) {
    message.set_record_words(record);
    message.set_state_words(state);
    EXPECT_FALSE(ImageReader(memory).Next(message).has_value()) << record << " " << state;
  }
  message.set_record_words(16);
  message.set_state_words(0);
  EXPECT_TRUE(ImageReader(memory).Next(message).has_value());
  message.set_form("short");
  EXPECT_FALSE(ImageReader(memory).Next(message).has_value());
}

}  // namespace
}  // namespace wb::test
