#include "compiler/debug/utf8.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(Utf8, CharactersOfOneToFourBytesAreUtf8) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"));
}

TEST(Utf8, LongFormsSurrogatesAndPartsAreNot) {
  for (const char* text : {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80", "\xe2\x82", "\xe2(\xa1", "a\xff"}) {
    EXPECT_FALSE(IsUtf8(text));
  }
}

TEST(Utf8, ATextIsCutBetweenCharacters) {
  EXPECT_EQ(Utf8Front("a\xe2\x82\xac", 3), "a");
  EXPECT_EQ(Utf8Front("a\xe2\x82\xac", 4), "a\xe2\x82\xac");
}

}  // namespace
}  // namespace wb
