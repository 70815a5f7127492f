// Shapes that every emitted text must keep, whatever the module.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "compiler/compiler.h"
#include "compiler/runtime/pruned_text.h"
#include "compiler/runtime/runtime.h"
#include "tests/compiler/emit/large_module.h"
#include "tests/compiler/emit/random_module.h"
#include "tests/compiler/ir/lowered_text.h"
#include "tests/golden/golden_module.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line.substr(std::min(line.size(), line.find_first_not_of(' '))));
  }
  return lines;
}

bool Starts(const std::string& line, const char* with) { return line.rfind(with, 0) == 0; }
bool Contains(const std::string& line, const char* what) {
  return line.find(what) != std::string::npos;
}

std::string EmittedOwnPart(const LoweredModule& module) {
  auto source = EmitKernel(module, {});
  if (!source.ok()) {
    ADD_FAILURE() << source.status().ToString();
    return "";
  }
  return OwnPart(source->text);
}

// The module's own part of all golden texts and of a few random ones.
std::vector<std::string> SomeTexts() {
  std::vector<std::string> texts;
  for (const std::string& name : GoldenNames()) {
    texts.push_back(EmittedOwnPart(*GoldenModule(name)));
  }
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    texts.push_back(EmittedOwnPart(*MustLower(MakeRandomModule(seed, 20).wat)));
    const RandomModule recursive = MakeRandomModule(seed, 4, Nans::kAsTheyCome, Calls::kRecursive);
    texts.push_back(EmittedOwnPart(*MustLower(recursive.wat)));
  }
  return texts;
}

// How braces open and close in a line.
int BracesOf(const std::string& line) {
  return static_cast<int>(std::count(line.begin(), line.end(), '{') -
                          std::count(line.begin(), line.end(), '}'));
}

TEST(TextTest, AFunctionReturnsInItsLastLineOnly) {
  for (const std::string& text : SomeTexts()) {
    const auto lines = Lines(text);
    int depth = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
      depth += BracesOf(lines[i]);
      if (!Contains(lines[i], "return")) continue;
      EXPECT_TRUE(lines[i] == "return R;" || lines[i] == "return E;") << lines[i];
      EXPECT_EQ(depth, 1) << lines[i];
      EXPECT_EQ(lines[i + 1], "}");
    }
    EXPECT_EQ(depth, 0);
  }
}

// Between the brace that is open around this line and the line, one has asked for the fuel of all
// rounds.
bool FuelIsAskedBefore(const std::vector<std::string>& lines, size_t line) {
  int depth = 0;
  for (size_t i = line; i-- > 0;) {
    if (Contains(lines[i], "wb_fuel_lasts(fuel, ")) return depth - BracesOf(lines[i]) < 0;
    if (depth == 0 && Contains(lines[i], " = (wb_round)wb_rounds_that_last(fuel, ")) return true;
    depth -= BracesOf(lines[i]);
    if (depth < 0) return false;
  }
  return false;
}

// Nothing runs without end between two looks at the fuel: each loop has its own, or it counts
// rounds of which the fuel was asked for before. Dispatch loops are the subset checker's matter:
// they need one only where they go back.
TEST(TextTest, EveryLoopAsksForFuel) {
  size_t loops = 0;
  for (const std::string& text : SomeTexts()) {
    const auto lines = Lines(text);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (Starts(lines[i], "for")) {
        EXPECT_TRUE(FuelIsAskedBefore(lines, i)) << lines[i];
      }
      if (!Starts(lines[i], "while") || Starts(lines[i + 1], "switch (s")) continue;
      ++loops;
      // The loops inside it have their own, deeper.
      bool asks = false;
      std::vector<bool> loop_at = {true};
      for (size_t j = i + 1; !loop_at.empty(); ++j) {
        const bool inner = std::find(loop_at.begin() + 1, loop_at.end(), true) != loop_at.end();
        const bool looks = Contains(lines[j], "if (wb_spent(fuel)) {") ||
                           Contains(lines[j], "if (wb_group_is_low(fuel, low)) {");
        asks = asks || (looks && !inner);
        const int braces = BracesOf(lines[j]);
        if (braces > 0) loop_at.push_back(Starts(lines[j], "while"));
        if (braces < 0) loop_at.pop_back();
      }
      EXPECT_TRUE(asks) << "line " << i << " of\n" << text;
    }
  }
  EXPECT_GT(loops, 50u);
}

// But for the lines that name what a compiler's messages are about.
TEST(TextTest, NoGotoNoMacroNoDouble) {
  for (const std::string& whole : SomeTexts()) {
    std::string text;
    for (const std::string& line : Lines(whole)) {
      if (!Starts(line, "#line 1 \"") && !Contains(line, "#pragma unroll")) text += line + "\n";
    }
    for (const char* word : {"goto", "#", "double", "float", "asm", "thread", "//"}) {
      EXPECT_FALSE(Contains(text, word)) << word;
    }
  }
}

TEST(TextTest, NothingOfTheModulesNamesIsInIt) {
  const auto module = MustLower(R"((module (memory (export "zebra") 1)
    (func $zebra (export "*/ zebra { \n #include") (param $zebra i32) (call $zebra2))
    (func $zebra2) (data (i32.const 0) "zebra")
    (global $zebra (export "zebra3") i32 (i32.const 1))))");
  auto source = EmitKernel(*module, {});
  ASSERT_TRUE(source.ok()) << source.status().ToString();
  EXPECT_FALSE(Contains(source->text, "zebra"));
}

TEST(TextTest, FunctionsThatNothingReachesAreNotPrinted) {
  const std::string text = EmittedOwnPart(*MustLower(R"((module
    (func $start (call $used)) (func $used) (func $unused (call $unused2)) (func $unused2)
    (func (export "f")) (start $start)))"));
  for (const char* name : {"wf_0(", "wf_1(", "wf_4("}) EXPECT_TRUE(Contains(text, name)) << name;
  for (const char* name : {"wf_2(", "wf_3("}) EXPECT_FALSE(Contains(text, name)) << name;
  // Of the printed ones the entries alone are cases of wb_run.
  EXPECT_TRUE(Contains(text, "case 0u:"));
  EXPECT_FALSE(Contains(text, "case 1u:"));
}

std::string NestedLoops(uint32_t depth) {
  std::string text = "(module (func) (func (export \"f\") (param i32) ";
  for (uint32_t i = 0; i < depth; ++i) text += "loop ";
  for (uint32_t i = 0; i < depth; ++i) text += "local.get 0 br_if 0 end ";
  return text + "))";
}

// How deep braces nest anywhere in a text.
int DepthOf(const std::string& text) {
  int depth = 0, deepest = 0;
  for (char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

TEST(TextTest, BracesNeverNestTooDeep) {
  for (uint32_t depth : {1u, 10u, 45u, 49u, 50u, 101u, 1000u}) {
    auto source = EmitKernel(*MustLower(NestedLoops(depth)), {});
    ASSERT_TRUE(source.ok()) << source.status().ToString();
    EXPECT_LE(DepthOf(source->text), 100) << depth;
  }
  for (const std::string& wat : {NestModule(99), NestModule(1000), LadderModule(4100, 4096)}) {
    auto source = EmitKernel(*MustLower(wat), {});
    ASSERT_TRUE(source.ok()) << source.status().ToString();
    EXPECT_LE(DepthOf(source->text), 100);
  }
  // Blocks that no branch names have no braces.
  std::string blocks = "(module (func (export \"f\") ";
  for (int i = 0; i < 1000; ++i) blocks += "block ";
  for (int i = 0; i < 1000; ++i) blocks += "end ";
  EXPECT_FALSE(Contains(EmittedOwnPart(*MustLower(blocks + "))")), "switch (s1)"));
}

// Only where a compiler would take minutes to keep them in registers; floats and vectors never.
TEST(TextTest, OnlyHugeFunctionsLeaveTheirVariablesInMemory) {
  EXPECT_FALSE(Contains(EmittedOwnPart(*MustLower(HugeModule(4'000, 572))), "volatile"));
  EXPECT_FALSE(Contains(EmittedOwnPart(*MustLower(LadderModule(4100, 4096))), "volatile"));
  const std::string huge = EmittedOwnPart(*MustLower(HugeModule(20'000, 572)));
  EXPECT_TRUE(Contains(huge, "  volatile uint l577 = 0u;"));
  EXPECT_FALSE(Contains(huge, "  uint l"));
}

TEST(TextTest, TheSameInputGivesTheSameTextAndDigest) {
  for (const std::string& name : GoldenNames()) {
    auto one = EmitKernel(*GoldenModule(name), {});
    auto other = EmitKernel(*GoldenModule(name), {});
    ASSERT_TRUE(one.ok() && other.ok());
    EXPECT_EQ(one->text, other->text);
    EXPECT_EQ(one->digest, other->digest);
    auto interleaved = EmitKernel(*GoldenModule(name), {.layout = MemoryLayout::kInterleaved});
    ASSERT_TRUE(interleaved.ok());
    EXPECT_NE(one->digest, interleaved->digest);
    EXPECT_EQ(one->layout, interleaved->layout);
    auto tiled = EmitKernel(*GoldenModule(name), {.layout = MemoryLayout::kTiled});
    ASSERT_TRUE(tiled.ok());
    EXPECT_EQ(tiled->text, TiledText(interleaved->text)) << name;
    EXPECT_NE(tiled->digest, interleaved->digest);
    EXPECT_EQ(tiled->layout, interleaved->layout);
  }
}

TEST(TextTest, AStopEndsTheWorkBetweenFunctions) {
  const auto lowered = MustLower("(module (func (export \"a\")) (func (export \"b\")))");
  const std::shared_ptr<const Module>& module = lowered->program.module;
  int asked = 0;
  const Stop never = [&] { return ++asked < 0; };
  EXPECT_TRUE(Lower(module, {}, never).ok());
  EXPECT_GE(asked, 2);
  for (int most = asked; most-- > 0;) {
    int left = most;
    EXPECT_EQ(Lower(module, {}, [&] { return left-- == 0; }).status().reason(),
              Reason::kCompileTimeout);
  }
  asked = 0;
  EXPECT_TRUE(EmitKernel(*lowered, {}, never).ok());
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(EmitKernel(*lowered, {}, [] { return true; }).status().reason(),
            Reason::kCompileTimeout);
}

TEST(TextTest, OtherModulesHaveOtherDigests) {
  // The same function: what differs is in the image, not in the text.
  auto one = EmitKernel(*MustLower("(module (memory 1) (data (i32.const 0) \"a\"))"), {});
  auto other = EmitKernel(*MustLower("(module (memory 1) (data (i32.const 0) \"b\"))"), {});
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(one->text, other->text);
  EXPECT_NE(one->digest, other->digest);
}

TEST(TextTest, TextIsInProportionToTheCode) {
  size_t code = 0, text = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const auto module = MustLower(MakeRandomModule(seed, 40).wat);
    for (const Body& body : module->program.module->bodies) code += body.end_offset - body.offset;
    text += EmittedOwnPart(*module).size();
  }
  std::printf("%.1f bytes of text per byte of code\n",
              static_cast<double>(text) / static_cast<double>(code));
  EXPECT_LT(text, 40 * code);
}

// Clang has no complaint that could mean a mistake of the printer's. Names that nothing uses are
// not one: they are left for compilers to remove. Nor are comparisons that always come out the
// same: modules write them.
class ClangText : public ::testing::Test {
 protected:
  ClangText() {
    std::string name = (fs::temp_directory_path() / "wb_emit_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "metal_stdlib") << PreludeText("host/metal_stdlib");
  }
  ~ClangText() override { fs::remove_all(folder_); }
  void SetUp() override {
    if (std::system("command -v clang++ >/dev/null 2>&1") != 0) {
      GTEST_SKIP() << "There is no [clang++] on this machine.";
    }
  }

  void Add(const std::string& name, const std::string& text) {
    const fs::path file = folder_ / (name + ".metal");
    std::ofstream(file) << text;
    files_ += " " + file.string();
  }
  // What clang says of all of them.
  std::string Complaints(const std::string& flags) const {
    const std::string log = (folder_ / "log").string();
    const std::string command = "clang++ -x c++ -std=c++17 -fsyntax-only " + flags + " -I" +
                                folder_.string() + files_ + " >" + log + " 2>&1";
    const int result = std::system(command.c_str());
    std::ifstream file(log);
    const std::string said(std::istreambuf_iterator<char>(file), {});
    return result == 0 ? "" : "failed: " + said.substr(0, 4000);
  }

 private:
  fs::path folder_;
  std::string files_;
};

TEST_F(ClangText, HasNoComplaint) {
  for (const std::string& golden : GoldenNames()) {
    Add(golden, GoldenText(golden, MemoryLayout::kContiguous));
  }
  Add("random", EmitKernel(*MustLower(MakeRandomModule(1, 40).wat), {})->text);
  const RandomModule recursive = MakeRandomModule(1, 5, Nans::kAsTheyCome, Calls::kRecursive);
  Add("recursive", EmitKernel(*MustLower(recursive.wat), {.most_copied_rows = 1u << 16})->text);
  EXPECT_EQ(Complaints("-Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-unused "
                       "-Wno-unused-parameter -Wno-tautological-compare"),
            "");
}

TEST_F(ClangText, MissesNothingInPrunedTexts) {
  for (const std::string& golden : GoldenNames()) {
    Add(golden, PrunedText(TextWithoutKernel(GoldenText(golden, MemoryLayout::kContiguous))));
    CompileOptions mac;
    mac.layout = MemoryLayout::kInterleaved;
    mac.floats = Floats::kMetal;
    Add(golden + "_mac", PrunedText(TextWithoutKernel(GoldenText(golden, mac))));
  }
  EXPECT_EQ(Complaints("-w"), "");
}

}  // namespace
}  // namespace wb::test
