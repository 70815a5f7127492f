#include "compiler/debug/json_cursor.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

std::string TextOf(std::string_view json) {
  JsonCursor cursor(json);
  const std::string text = cursor.Text();
  return cursor.ok() ? text : "broken";
}

TEST(JsonCursor, EscapesAreWhatTheyMean) {
  EXPECT_EQ(TextOf(R"( "a\/\"\\\n\u0041")"), "a/\"\\\nA");
  EXPECT_EQ(TextOf(R"("\u00e9\u20ac\ud83e\udd8b")"), "\xc3\xa9\xe2\x82\xac\xf0\x9f\xa6\x8b");
  EXPECT_EQ(TextOf(R"("\ud83e!\udd8b")"), "\xef\xbf\xbd!\xef\xbf\xbd");
  for (const char* wrong : {"", "a", "\"a", R"("\)", R"("\u12)", R"("\u-123")", R"("\x")"}) {
    EXPECT_EQ(TextOf(wrong), "broken") << wrong;
  }
}

TEST(JsonCursor, NumbersAreDigits) {
  const std::string text = " 0,4294967295,4294967296";
  JsonCursor cursor(text);
  EXPECT_EQ(cursor.Unsigned(), 0u);
  EXPECT_TRUE(cursor.Take(','));
  EXPECT_EQ(cursor.Unsigned(), 4294967295u);
  EXPECT_TRUE(cursor.Take(','));
  cursor.Unsigned();
  EXPECT_FALSE(cursor.ok());
  for (const char* wrong : {"", "-1", "+1", "x", "\"1\""}) {
    JsonCursor broken(wrong);
    broken.Unsigned();
    EXPECT_FALSE(broken.ok()) << wrong;
  }
}

TEST(JsonCursor, AnyValueIsSkipped) {
  for (const char* value :
       {"1", "null", R"("a]\"")", "[]", R"({"a": [1, {"b": "]"}], "c": -1e5})"}) {
    const std::string text = std::string(value) + " ,";
    JsonCursor kept(text);
    kept.Skip();
    EXPECT_TRUE(kept.ok() && kept.Take(',')) << value;
  }
  for (const char* wrong : {"", "[", "]", ",", R"([")", "{\"a\": 1"}) {
    JsonCursor cursor(wrong);
    cursor.Skip();
    EXPECT_FALSE(cursor.ok()) << wrong;
  }
}

TEST(JsonCursor, DepthCostsNothing) {
  const std::string deep(1 << 20, '[');
  JsonCursor cursor(deep);
  cursor.Skip();
  EXPECT_FALSE(cursor.ok());
}

}  // namespace
}  // namespace wb::test
