#include "client/cli/encoding/text_encoding.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

std::string Utf8OfUtf16(std::string_view units) { return DecodeText(units, v1::UTF_16).utf8; }

// One, two, three and four bytes of UTF-8; the last is two units.
const std::string kText = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\xa6\x8b";
const std::string kUnits("a\0\xe9\0\xac\x20\x3e\xd8\x8b\xdd", 10);

TEST(Utf16, EveryLengthOfACharacterGoesThereAndBack) {
  EXPECT_EQ(Utf16OfUtf8(kText), kUnits);
  EXPECT_EQ(Utf8OfUtf16(kUnits), kText);
  EXPECT_EQ(Utf16OfUtf8(""), "");
  EXPECT_EQ(Utf16OfUtf8(std::string_view("\0", 1)), std::string(2, '\0'));
}

TEST(Utf16, EveryCodePointGoesThereAndBack) {
  for (uint32_t point = 0x10000; point < 0x110000; point += 0x3ff) {
    const uint32_t high = 0xd800 + ((point - 0x10000) >> 10), low = 0xdc00 + (point & 0x3ff);
    const std::string units = {static_cast<char>(high), static_cast<char>(high >> 8),
                               static_cast<char>(low), static_cast<char>(low >> 8)};
    EXPECT_EQ(Utf16OfUtf8(Utf8OfUtf16(units)), units) << point;
  }
}

TEST(Utf16, WhatIsNotUtf8IsRefused) {
  for (const char* wrong : {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "a\xe2\x82", "\xc3g"}) {
    EXPECT_EQ(Utf16OfUtf8(wrong), std::nullopt) << wrong;
  }
}

TEST(Utf16, HalvesBecomeTheReplacementCharacter) {
  const std::string replaced = "\xef\xbf\xbd";
  EXPECT_EQ(Utf8OfUtf16(std::string("\x3e\xd8", 2)), replaced);           // no second unit
  EXPECT_EQ(Utf8OfUtf16(std::string("\x3e\xd8x\0", 4)), replaced + "x");  // another one
  EXPECT_EQ(Utf8OfUtf16(std::string("\x8b\xdd\x3e\xd8", 4)), replaced + replaced);  // turned round
  EXPECT_EQ(Utf8OfUtf16(std::string("x\0y", 3)), "x" + replaced);
}

TEST(TextEncoding, WrongBytesAreCounted) {
  EXPECT_EQ(DecodeText(kUnits, v1::UTF_16).wrong_bytes, 0u);
  EXPECT_EQ(DecodeText(std::string("\x3e\xd8x\0y", 5), v1::UTF_16).wrong_bytes, 3u);
  const DecodedText good = DecodeText(kText, v1::UTF_8);
  EXPECT_EQ(good.utf8, kText);
  EXPECT_EQ(good.wrong_bytes, 0u);
  const DecodedText bad = DecodeText("a\xc3g\xff", v1::UTF_8);
  EXPECT_EQ(bad.utf8, "a\xef\xbf\xbdg\xef\xbf\xbd");
  EXPECT_EQ(bad.wrong_bytes, 2u);
}

}  // namespace
}  // namespace wb::cli
