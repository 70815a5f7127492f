#include "client/cli/run/path_check.h"

#include "tests/client/run/run_fixture.h"

namespace wb::cli {
namespace {

PathCheck CheckOf(const std::string& text) {
  return PathCheck(Template::Parse(text, ItemsOf({"x"})).value(), "--stdout-to");
}

Status Check(const std::string& text, std::vector<std::string> texts) {
  return CheckOf(text).Add(ItemsOf(std::move(texts)));
}

TEST(PathCheck, PathsOfItemsDiffer) {
  EXPECT_TRUE(Check("out/{}", {"a/x", "b/x"}).ok());
  EXPECT_EQ(
      Check("out/{/}", {"a/x", "c", "b/x"}).message(),
      "--stdout-to gives the item [b/x] the path [out/x], which the item [a/x] has. {#} makes "
      "paths differ.");
}

TEST(PathCheck, PathsOfDifferentPartsDiffer) {
  PathCheck check = CheckOf("out/{/}");
  for (int part = 0; part < 20; ++part) {
    const std::string number = std::to_string(part);
    ASSERT_TRUE(check.Add(ItemsOf({"d/" + number, "d/x" + number, number + "y"})).ok()) << part;
  }
  for (const std::string seen : {"0", "x7", "19y"}) {
    PathCheck copy = check;
    const Status status = copy.Add(ItemsOf({"e/new", "e/" + seen, "e/newer"}));
    EXPECT_EQ(status.message(), "--stdout-to gives the item [e/" + seen + "] the path [out/" +
                                    seen + "], which an item before has. {#} makes paths differ.");
  }
  EXPECT_TRUE(check.Add(ItemsOf({"e/new"})).ok());
  EXPECT_FALSE(check.Add(ItemsOf({"f/new"})).ok());
}

TEST(PathCheck, AnItemDoesNotClimbOutOfAFolder) {
  EXPECT_FALSE(Check("out/{}", {"../../etc/passwd"}).ok());
  EXPECT_FALSE(Check("out/{}", {".."}).ok());
  EXPECT_TRUE(Check("out/{}", {"..a"}).ok());
  EXPECT_TRUE(Check("../out/{}", {"a"}).ok());  // the user's own
}

}  // namespace
}  // namespace wb::cli
