// The fuzzer finds what is broken and makes it small; what is not broken shows no difference; cases
// that once showed one show none.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "tests/fuzz/campaign.h"
#include "tests/fuzz/kept.h"

namespace wb::fuzz {
namespace {

namespace fs = std::filesystem;

FuzzerSetup Kernels() {
  return {{*SetupNamed("cpu"), *SetupNamed("cpu-interleaved"), *SetupNamed("cpu-metal")}, true};
}

CampaignSettings Some(uint64_t modules, FuzzerSetup setup) {
  CampaignSettings settings;
  settings.setup = std::move(setup);
  settings.modules = modules;
  settings.shows_progress = false;
  return settings;
}

std::string AllOf(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += Described(finding) + "\n" + finding.subject.wat;
  return text;
}

TEST(FuzzTest, TheInterpreterAndWabtAgree) {
  const auto source = GeneratedModules();
  const auto result = RunCampaign(Some(150, {}), *source);
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  EXPECT_TRUE(result->findings.empty()) << AllOf(result->findings);
  EXPECT_EQ(result->counts.modules, 150u);
  // The generator is worth little if most calls end at once, or never.
  EXPECT_GT(result->counts.returned, 2 * result->counts.trapped);
  EXPECT_GT(result->counts.trapped, 0u);
  EXPECT_GT(result->counts.oracle, 75u);
  EXPECT_LT(result->counts.out_of_fuel, 150u * kLanes / 2);
}

// Of three turns each engine builds in full once, and quickly twice.
TEST(FuzzTest, KernelsAgree) {
  const auto source = GeneratedModules();
  CampaignSettings settings = Some(3, Kernels());
  settings.setup.full_in = 3;
  settings.batch = 1;
  const auto result = RunCampaign(settings, *source);
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  EXPECT_TRUE(result->findings.empty()) << AllOf(result->findings);
}

TEST(FuzzTest, EveryVariantIsBuiltInFullOnEveryEngine) {
  std::set<std::pair<uint32_t, uint64_t>> met;
  for (uint64_t batch = 0; batch < uint64_t{3} * kVariants; ++batch) {
    const Variant variant = VariantOf(batch);
    met.emplace(variant.number, variant.turn % 3);
  }
  EXPECT_EQ(met.size(), 3 * kVariants);
}

// An interpreter for which one operator is another.
FuzzerSetup Broken(Opcode from, Opcode to) {
  EngineSetup engine = *SetupNamed("interpreter");
  engine.name = "broken";
  engine.broken = {from, to};
  return {{engine}, false};
}

TEST(FuzzTest, ABrokenOperatorIsFoundAndMadeSmall) {
  const auto source = GeneratedModules();
  CampaignSettings settings = Some(8, Broken(Opcode::kI32Add, Opcode::kI32Sub));
  settings.shrink_tries = 150;
  settings.folder = fs::path(::testing::TempDir()) / "wb_fuzz_broken";
  const auto result = RunCampaign(settings, *source);
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  ASSERT_FALSE(result->findings.empty());
  size_t smallest = ~size_t{0};
  for (const Finding& finding : result->findings) {
    EXPECT_EQ(finding.engine, "broken");
    smallest = std::min(smallest, finding.subject.choices.size());
  }
  EXPECT_LT(smallest, 400u);
  // The file shows the difference again, to this engine alone.
  const std::string name = result->findings[0].subject.name;
  const auto again = SubjectFromFile(settings.folder / (name + ".wat"));
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  auto broken = Fuzzer::Open(settings.setup);
  auto sound = Fuzzer::Open({});
  Counts counts;
  EXPECT_EQ(broken->Run({*again}, result->findings[0].variant, &counts).size(), 1u);
  EXPECT_EQ(sound->Run({*again}, result->findings[0].variant, &counts).size(), 0u);
  fs::remove_all(settings.folder);
}

TEST(FuzzTest, CasesFoundBeforeStayAway) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(WB_FUZZ_CASES)) {
    if (entry.path().extension() != ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Subject> subjects;
  for (const fs::path& file : files) {
    auto subject = SubjectFromFile(file);
    ASSERT_TRUE(subject.ok()) << file << ": " << subject.status().ToString();
    subjects.push_back(std::move(subject).value());
  }
  auto fuzzer = Fuzzer::Open(Kernels());
  ASSERT_TRUE(fuzzer.ok()) << fuzzer.status().ToString();
  Counts counts;
  for (const uint32_t variant : {1u, 3u}) {
    const auto findings = fuzzer->Run(subjects, VariantOf(variant), &counts);
    EXPECT_TRUE(findings.empty()) << AllOf(findings);
  }
  EXPECT_EQ(counts.modules, 2 * files.size());
}

}  // namespace
}  // namespace wb::fuzz
