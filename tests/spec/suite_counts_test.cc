// The suite itself, as far as it needs no engine: how many checks it has, and those that decoding
// answers. Skipped where the suite is not at hand.

#include <gtest/gtest.h>

#include "tests/spec/decoder_check.h"
#include "tests/spec/plan.h"
#include "tests/spec/tally.h"
#include "tests/spec/wast_file.h"

namespace wb::spec {
namespace {

constexpr char kNoSuite[] = "the specification suite is not at hand (WASMBURST_TESTSUITE)";

TEST(SpecificationSuite, CountsAsSpectestInterpDoes) {
  const auto folder = FindSuite("");
  if (!folder) GTEST_SKIP() << kNoSuite;
  const auto work = TemporaryFolder::Make();
  ASSERT_TRUE(work.ok());
  uint32_t total = 0;
  const std::vector<std::string> names = ScriptNames(*folder);
  for (const std::string& name : names) {
    const auto file = OpenWast(*folder / (name + ".wast"), work->path());
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    for (const Command& command : file->script.commands) total += Counts(command.kind) ? 1 : 0;
  }
  EXPECT_EQ(names.size(), 146u);
  EXPECT_EQ(total, 53881u);  // wabt 1.0.32's spectest-interp over the same files
}

TEST(SpecificationSuite, DecodingRefusesWhatItMust) {
  const auto folder = FindSuite("");
  if (!folder) GTEST_SKIP() << kNoSuite;
  const auto work = TemporaryFolder::Make();
  ASSERT_TRUE(work.ok());
  uint32_t checks = 0;
  for (const std::string& name : ScriptNames(*folder)) {
    const auto file = OpenWast(*folder / (name + ".wast"), work->path());
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    for (const Command& command : file->script.commands) {
      if (!IsDecoderCheck(command.kind)) continue;
      const auto bytes = ReadFileBytes(file->folder / command.filename);
      ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
      const Outcome outcome = CheckDecoder(command, *bytes, file->proposals);
      EXPECT_EQ(outcome.verdict, Verdict::kPassed)
          << name << ".wast:" << command.line << ": " << outcome.reason;
      ++checks;
    }
  }
  EXPECT_EQ(checks, 3957u);
}

TEST(SpecificationSuite, DecodingTakesEveryModule) {
  const auto folder = FindSuite("");
  if (!folder) GTEST_SKIP() << kNoSuite;
  const auto work = TemporaryFolder::Make();
  ASSERT_TRUE(work.ok());
  for (const std::string& name : ScriptNames(*folder)) {
    const auto file = OpenWast(*folder / (name + ".wast"), work->path());
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    for (const Command& command : file->script.commands) {
      if (command.filename.empty() || IsDecoderCheck(command.kind)) continue;
      const auto bytes = ReadFileBytes(file->folder / command.filename);
      ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
      const auto module = Module::Decode(*bytes, file->proposals);
      EXPECT_TRUE(module.ok()) << name << ".wast:" << command.line << ": "
                               << module.status().ToString();
    }
  }
}

TEST(SpecificationSuite, ScriptsOfProposalsAreReadWithThem) {
  const auto folder = FindSuite("");
  if (!folder) GTEST_SKIP() << kNoSuite;
  const std::filesystem::path proposals = ProposalsFolder(*folder);
  const std::vector<std::string> names = ProposalScriptNames(proposals);
  if (names.empty()) GTEST_SKIP() << "the suite at hand has no scripts of proposals";
  const auto work = TemporaryFolder::Make();
  ASSERT_TRUE(work.ok());
  uint32_t total = 0, without = 0;
  for (const std::string& name : names) {
    const auto file = OpenWast(proposals / (name + ".wast"), work->path(), /*of_proposal=*/true);
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    EXPECT_EQ(file->name, name);
    for (const Command& command : file->script.commands) {
      total += Counts(command.kind) ? 1 : 0;
      if (command.kind != CommandKind::kModule || command.is_text) continue;
      const auto bytes = ReadFileBytes(file->folder / command.filename);
      ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
      EXPECT_TRUE(Module::Decode(*bytes, file->proposals).ok()) << name << ":" << command.line;
      without += Module::Decode(*bytes, Proposals::None()).ok() ? 0 : 1;
    }
  }
  EXPECT_EQ(names.size(), 20u);
  EXPECT_EQ(total, 1338u);
  EXPECT_GT(without, 20u);
}

}  // namespace
}  // namespace wb::spec
