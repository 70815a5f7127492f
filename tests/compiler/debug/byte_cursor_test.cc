#include "compiler/debug/byte_cursor.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(ByteCursor, ReadsNumbersOfEveryKind) {
  const Bytes bytes = {0x01, 0x02, 0x03, 0xe5, 0x8e, 0x26, 0x9b, 0xf1, 0x59, 'a', 'b', 0, 9};
  ByteCursor cursor(bytes);
  EXPECT_EQ(cursor.U8(), 1u);
  EXPECT_EQ(cursor.U16(), 0x0302u);
  EXPECT_EQ(cursor.Unsigned(), 624485u);
  EXPECT_EQ(cursor.Signed(), -624485);
  EXPECT_EQ(cursor.Text(), "ab");
  EXPECT_FALSE(cursor.done());
  EXPECT_EQ(cursor.U8(), 9u);
  EXPECT_TRUE(cursor.done());
  EXPECT_TRUE(cursor.ok());
}

TEST(ByteCursor, AReadBeyondTheEndBreaksItForGood) {
  const Bytes bytes = {1, 2, 3};
  ByteCursor cursor(bytes);
  EXPECT_EQ(cursor.U32(), 0u);
  EXPECT_FALSE(cursor.ok());
  EXPECT_TRUE(cursor.done());
  EXPECT_EQ(cursor.U8(), 0u);
  EXPECT_FALSE(ByteCursor(bytes, 4).ok());
}

TEST(ByteCursor, NumbersOfTooManyBytesAndTextsWithoutAnEndBreakIt) {
  const Bytes endless(64, 0x80);
  ByteCursor number(endless), other(endless), text(endless);
  EXPECT_EQ(number.Unsigned(), 0u);
  EXPECT_EQ(other.Signed(), 0);
  EXPECT_EQ(text.Text(), "");
  EXPECT_FALSE(number.ok() || other.ok() || text.ok());
}

TEST(ByteCursor, ALengthThatLiesTakesNothing) {
  const Bytes bytes = {1, 2, 3};
  ByteCursor cursor(bytes);
  EXPECT_TRUE(cursor.Take(~uint64_t{0}).empty());
  EXPECT_FALSE(cursor.ok());
}

}  // namespace
}  // namespace wb
