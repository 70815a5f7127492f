#include "client/cli/run/placeholders.h"

#include "tests/client/run/run_fixture.h"

namespace wb::cli {
namespace {

ItemList Rows() {
  ItemList items = ItemsOf({"x", "y"});
  items.names = {"name", "rate"};
  items.columns = {{"x", "y"}, {"1", "2"}};
  return items;
}

std::string Filled(const std::string& text, const ItemList& items, uint64_t place = 0) {
  return Template::Parse(text, items).value().At(items, place);
}

TEST(Placeholders, TheFormsAreThoseOfParallel) {
  const ItemList items = ItemsOf({"in/a.tar.gz", "plain", "d.d/x", "in/.hidden"});
  EXPECT_EQ(Filled("{}", items), "in/a.tar.gz");
  EXPECT_EQ(Filled("{.}", items), "in/a.tar");
  EXPECT_EQ(Filled("{/}", items), "a.tar.gz");
  EXPECT_EQ(Filled("{/.}", items), "a.tar");
  EXPECT_EQ(Filled("{#}", items, 1), "2");
  EXPECT_EQ(Filled("{.} {/} {/.}", items, 1), "plain plain plain");
  EXPECT_EQ(Filled("{.} {/.}", items, 2), "d.d/x x");
  EXPECT_EQ(Filled("{/.}", items, 3), ".hidden");
  EXPECT_EQ(Filled("out/{/.}-{#}.txt", items), "out/a.tar-1.txt");
}

TEST(Placeholders, AColumnStandsUnderItsName) {
  EXPECT_EQ(Filled("--rate={rate} {name}", Rows(), 1), "--rate=2 y");
  const Status status = Template::Parse("{rat}", Rows()).status();
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("[rat]; the rows have [name], [rate]"), std::string::npos);
}

TEST(Placeholders, OtherBracesMeanThemselves) {
  EXPECT_EQ(Filled("{\"a\": {}}", ItemsOf({"1"})), "{\"a\": 1}");
  EXPECT_EQ(Filled("{{}}", ItemsOf({"1"})), "{1}");
  EXPECT_EQ(Filled("{ } } {x} {", ItemsOf({"1"})), "{ } } {x} {");
  EXPECT_EQ(Filled("{\"a\":1} {1}", Rows()), "{\"a\":1} {1}");
}

TEST(Placeholders, WithoutItemsBracesMeanThemselves) {
  ItemList one = ItemsOf({""});
  one.has_source = false;
  EXPECT_EQ(Filled("{} {#}", one), "{} {#}");
  EXPECT_FALSE(Template::Parse("{}", one).value().varies());
}

TEST(Placeholders, WhatAnItemBringsInIsNotReadAgain) {
  EXPECT_EQ(Filled("{}", ItemsOf({"{#}"})), "{#}");
}

TEST(Placeholders, ATextVariesWhereItHoldsOne) {
  EXPECT_TRUE(Template::Parse("a{#}", Rows()).value().varies());
  EXPECT_FALSE(Template::Parse("a{\"b\"}", Rows()).value().varies());
}

TEST(Placeholders, SomeTextsDifferAlways) {
  const auto differs = [](const std::string& text, const ItemList& items) {
    return Template::Parse(text, items).value().DiffersAlways(items);
  };
  ItemList lines = ItemsOf({"a", "a"}), files = ItemsOf({"a", "b"});
  files.differ = true;
  EXPECT_TRUE(differs("out/{#}.txt", lines));
  EXPECT_FALSE(differs("out/{}.txt", lines));
  EXPECT_TRUE(differs("out/{}.txt", files));
  EXPECT_FALSE(differs("out/{/}.txt", files));
  EXPECT_FALSE(differs("{#}{}", files));  // "1" and "11" of "12" and "2"
  EXPECT_FALSE(differs("out", files));
}

}  // namespace
}  // namespace wb::cli
