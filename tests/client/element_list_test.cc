#include "client/cli/program/element_list.h"

#include <gtest/gtest.h>

#include "client/cli/program/arg_spec.h"

namespace wb::cli {
namespace {

using Texts = std::vector<std::string>;

std::string BytesOf(const std::string& text) {
  const Result<ElementList> elements = ParseElements(text);
  return elements.ok() ? elements->bytes[0] : elements.status().message();
}

TEST(ElementList, EachTypeHasItsBytes) {
  EXPECT_EQ(BytesOf("i8:[-1,2]"), "\xff\x02");
  EXPECT_EQ(BytesOf("u16:[258]"), "\x02\x01");
  EXPECT_EQ(BytesOf("i32:[1, -2]"), std::string("\1\0\0\0\xfe\xff\xff\xff", 8));
  EXPECT_EQ(BytesOf("u64:[0xffffffffffffffff]"), std::string(8, '\xff'));
  EXPECT_EQ(BytesOf("f32:[1.5]"), std::string("\0\0\xc0\x3f", 4));
  EXPECT_EQ(BytesOf("f64:[-2]"), std::string("\0\0\0\0\0\0\0\xc0", 8));
  EXPECT_EQ(BytesOf("f64:[ ]"), "");
}

TEST(ElementList, AListForEachInstance) {
  const ElementList elements = ParseElements("u8:[[1,2], [],[3]]").value();
  EXPECT_EQ(elements.bytes, (Texts{"\1\2", "", "\3"}));
  EXPECT_EQ(elements.shown, (Texts{"[1,2]", "[]", "[3]"}));
}

TEST(ElementList, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(BytesOf("u8:[1,256]"), "The element [256] is no u8.");
  EXPECT_EQ(BytesOf("i16:[-32769]"), "The element [-32769] is no i16.");
  for (const char* wrong : {"i32:1", "i32:[1", "i32:[1],[2]", "i32:[[1],2]", "i32:[[[1]]]",
                            "i7:[1]", "i32:[[1],]", "[1]", "i32:[[1][2]]"}) {
    EXPECT_NE(BytesOf(wrong).find("are not TYPE:[1,2,3]"), std::string::npos) << wrong;
  }
  for (const char* wrong : {"i32:[1,]", "i32:[x]", "i32:[1.5]"}) {
    EXPECT_FALSE(ParseElements(wrong).ok()) << wrong;
  }
}

TEST(ElementList, AnArgumentMayBeElements) {
  const ArgSpec one = ParseArgSpec("elements:u8:[1,2]").value();
  EXPECT_EQ(one.kind, ArgSpec::Kind::kBytes);
  EXPECT_EQ(one.texts, (Texts{"\1\2"}));
  EXPECT_EQ(one.shown, (Texts{"[1,2]"}));
  EXPECT_EQ(LengthOf(ParseArgSpec("elements:u8:[[1],[2],[3]]").value()).value(), 3u);
}

}  // namespace
}  // namespace wb::cli
