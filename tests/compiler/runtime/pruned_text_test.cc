// A text without those functions and constants of the runtime that nothing in it names.

#include "compiler/runtime/pruned_text.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

constexpr const char* kText = R"(#line 1 "wasmburst/head.metal"
// ---- head
#include <metal_stdlib>
typedef device uint *wb_lane;
#line 1 "wasmburst/constants"
constant uint WB_USED = 1u;
constant uint WB_UNUSED = 2u;
constant uint WB_BY_A_FUNCTION = 3u;
#line 1 "wasmburst/lanes.metal"
// wb_lonely is only in a comment.
static inline uint wb_lonely(uint a) {
  return a + WB_UNUSED;  // }
}

// Of two lines.
static __attribute__((noinline))
uint wb_second(uint a) {
  if (a != 0u) {
    return WB_BY_A_FUNCTION;
  }
  return 0u;
}
static inline uint wb_declared(uint a);
static inline uint wb_first(uint a) { return wb_second(a); }
static inline uint wb_firstborn(uint a) { return a; }
struct WbEnd {
  uint w;
};
static inline uint wb_declared(uint a) { return a; }
#line 1 "module"
static uint wf_0() { return wb_first(WB_USED); }
static uint wf_unused() { return 0u; }
)";

bool Has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

TEST(PrunedText, HasWhatIsNamedDirectlyOrByWhatIsNamed) {
  const std::string pruned = PrunedText(kText);
  for (const char* there : {"#include <metal_stdlib>", "typedef device uint *wb_lane;",
                            "WB_USED = 1u", "WB_BY_A_FUNCTION = 3u", "uint wb_second(uint a) {",
                            "wb_first(uint a)", "struct WbEnd", "wf_0", "wf_unused"}) {
    EXPECT_TRUE(Has(pruned, there)) << there;
  }
  for (const char* gone : {"wb_lonely(uint", "WB_UNUSED", "wb_declared", "wb_firstborn"}) {
    EXPECT_FALSE(Has(pruned, gone)) << gone;
  }
}

TEST(PrunedText, OfAPrunedTextIsTheSame) {
  const std::string pruned = PrunedText(kText);
  EXPECT_EQ(PrunedText(pruned), pruned);
}

// As a compiler counts: each line of the pruned text has the number and the file that it had.
std::string Numbered(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line, file, all;
  size_t number = 1;
  while (std::getline(lines, line)) {
    if (line.rfind("#line ", 0) == 0) {
      number = std::stoul(line.substr(6));
      file = line.substr(line.find('"'));
      continue;
    }
    all += file + ":" + std::to_string(number++) + ": " + line + "\n";
  }
  return all;
}
TEST(PrunedText, LinesKeepTheirNumbers) {
  const std::string before = Numbered(kText);
  std::istringstream after(Numbered(PrunedText(kText)));
  std::string line;
  size_t lines = 0;
  for (; std::getline(after, line); ++lines) EXPECT_TRUE(Has(before, line + "\n")) << line;
  EXPECT_EQ(lines, 20u);
}

TEST(PrunedText, WithoutFilesOfTheRuntimeItStaysAsItIs) {
  for (const std::string text : {"", "static inline uint wb_lonely() { return 1u; }\n",
                                 "#line 1 \"module\"\nstatic uint wb_x() { return 1u; }"}) {
    EXPECT_EQ(PrunedText(text), text);
  }
}

TEST(PrunedText, OfAnOpeningAloneHasNoFunctions) {
  const std::string pruned = PrunedText(OpeningText({}, "constant uint WB_GLOBALS_AT = 1u;\n"));
  EXPECT_FALSE(Has(pruned, "static inline"));
  EXPECT_TRUE(Has(pruned, "struct WbParams"));
}

}  // namespace
}  // namespace wb
