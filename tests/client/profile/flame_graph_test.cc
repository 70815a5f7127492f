#include "client/cli/profile/flame_graph.h"

#include <gtest/gtest.h>

#include <stack>

#include "tests/client/profile/sample_profile.h"

namespace wb::test {
namespace {

using Names = std::vector<std::string>;

// Whether every element is closed where it was opened, and no text has a bare character.
bool IsWellFormed(const std::string& xml) {
  std::stack<std::string> open;
  for (size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return false;
    if (tag.starts_with("?") || tag.ends_with("/")) continue;
    if (!tag.starts_with("/")) {
      open.push(tag.substr(0, tag.find(' ')));
      continue;
    }
    if (open.empty() || open.top() != tag.substr(1)) return false;
    open.pop();
  }
  return open.empty();
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(FlameGraphTest, ACallIsABoxAsWideAsItsFuel) {
  const std::string svg = cli::FlameGraph(cli::TreeOf(SampleProfile()).value(), "A <title>");
  EXPECT_TRUE(IsWellFormed(svg)) << svg;
  EXPECT_NE(svg.find(">A &lt;title&gt;</text>"), std::string::npos);
  EXPECT_EQ(CountOf(svg, "<g>"), 6u);
  EXPECT_NE(
      svg.find("<title>a::work(int) loop 0x40: 58.3%, 70 instructions, 70 of its own, 3 times "
               "entered</title><rect x=\"10.00\""),
      std::string::npos)
      << svg;
  // 90 of 120 instructions are 885 of 1,180 pixels; what main calls next begins behind them.
  EXPECT_NE(svg.find("width=\"885.00\""), std::string::npos);
  EXPECT_NE(svg.find("20 instructions, 5 of its own, 1 calls</title><rect x=\"895.00\""),
            std::string::npos);
  EXPECT_EQ(svg.find("script"), std::string::npos);
}

TEST(FlameGraphTest, NamesAreTextWhateverTheyAre) {
  wasmburst::v1::Profile profile;
  AddFrame(&profile, 1, "<b>&\"x\"]]> \xef\xbf\xbf \x01");
  AddNode(&profile, 0, 0, 0, 0);
  AddNode(&profile, 0, 0, 1, 4);
  const std::string svg = cli::FlameGraph(cli::TreeOf(profile).value(), "t");
  EXPECT_TRUE(IsWellFormed(svg)) << svg;
  EXPECT_NE(svg.find("&lt;b&gt;&amp;&quot;x&quot;]]&gt; ? \\x01"), std::string::npos) << svg;
}

TEST(FlameGraphTest, ALongNameIsCutBetweenLetters) {
  wasmburst::v1::Profile profile;
  std::string name;
  for (int i = 0; i < 400; ++i) name += "\xc3\xa4";
  AddFrame(&profile, 1, name);
  AddNode(&profile, 0, 0, 0, 0);
  for (const uint64_t fuel : {7, 13, 80}) {
    AddFrame(&profile, static_cast<uint32_t>(fuel), name + std::to_string(fuel));
    AddNode(&profile, 0, static_cast<uint32_t>(profile.frames_size() - 1), 1, fuel);
  }
  const std::string svg = cli::FlameGraph(cli::TreeOf(profile).value(), "t");
  EXPECT_EQ(CountOf(svg, "\xc3\xa4..</text>"), 3u);
}

TEST(FlameGraphTest, WhatCannotBeSeenIsLeftOut) {
  wasmburst::v1::Profile profile;
  AddFrame(&profile, 1, "large");
  AddFrame(&profile, 2, "tiny");
  AddNode(&profile, 0, 0, 0, 0);
  AddNode(&profile, 0, 0, 1, 1'000'000);
  AddNode(&profile, 0, 1, 1, 1);
  const std::string svg = cli::FlameGraph(cli::TreeOf(profile).value(), "t");
  EXPECT_EQ(svg.find("tiny"), std::string::npos);
  wasmburst::v1::Profile nothing;
  AddNode(&nothing, 0, 0, 0, 0);
  EXPECT_TRUE(IsWellFormed(cli::FlameGraph(cli::TreeOf(nothing).value(), "t")));
}

}  // namespace
}  // namespace wb::test
