// Every binary of the specification's test suite: valid ones decode, the others are refused for
// the reason that the suite names. The suite is found through WASMBURST_TESTSUITE, else beside the
// repository; wast2json (wabt) takes the scripts apart into a folder of this process.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "compiler/wasm/module.h"
#include "tests/compiler/wasm/script_binaries.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

// Where we differ, by script. "binary": six are malformed by the letter but belong to a proposal,
// which we name (a component's preamble, exception tags, shared memory); one is invalid before its
// end, where it is malformed too. "memory_init": wabt writes no data count section there, so that
// the binaries are malformed before they are invalid.
const std::map<std::string, int> kOtherReason = {{"binary.wast", 7}, {"memory_init.wast", 2}};

Bytes ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::string FindSuite() {
  const char* named = std::getenv("WASMBURST_TESTSUITE");
  fs::path suite =
      named != nullptr ? fs::path(named) : fs::path(WB_SOURCE_DIR) / "../shared/testsuite";
  return fs::is_directory(suite / "core") ? (suite / "core").string() : "";
}

struct Tally {
  int valid = 0;
  int malformed = 0;
  int invalid = 0;
  std::map<std::string, int> other_reason;
};

void CheckBinary(const ScriptBinary& binary, const fs::path& folder, const std::string& script,
                 Tally* tally) {
  auto module = Module::Decode(ReadFile(folder / binary.file), Proposals::None());
  std::string place = script + ":" + std::to_string(binary.line);
  if (binary.type != "assert_malformed" && binary.type != "assert_invalid") {
    ++tally->valid;
    EXPECT_TRUE(module.ok()) << place << ": " << module.status().ToString();
    return;
  }
  const bool malformed = binary.type == "assert_malformed";
  ++(malformed ? tally->malformed : tally->invalid);
  EXPECT_FALSE(module.ok()) << place << ": " << binary.text;
  Reason reason = malformed ? Reason::kWasmMalformed : Reason::kWasmInvalid;
  if (!module.ok() && module.status().reason() != reason) {
    ++tally->other_reason[script];
    std::printf("%s: %s: %s\n", place.c_str(), binary.text.c_str(),
                module.status().ToString().c_str());
  }
}

void CheckScript(const fs::path& script, const fs::path& folder, Tally* tally) {
  fs::path json = folder / "script.json";
  std::string command = "wast2json '" + script.string() + "' -o '" + json.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  for (const ScriptBinary& binary : ReadScriptBinaries(json)) {
    CheckBinary(binary, folder, script.filename().string(), tally);
  }
}

TEST(Testsuite, EveryBinaryIsDecodedOrRefusedForItsReason) {
  std::string suite = FindSuite();
  if (suite.empty()) GTEST_SKIP() << "no test suite: set WASMBURST_TESTSUITE to its folder";
  if (std::system("wast2json --version > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "wast2json is not installed (package wabt)";
  }
  std::string name = testing::TempDir() + "wasmburst_suite_XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  Tally tally;
  int scripts = 0;
  for (const auto& entry : fs::directory_iterator(suite)) {
    if (entry.path().extension() != ".wast") continue;
    ++scripts;
    fs::path folder = fs::path(name) / entry.path().stem();
    fs::create_directory(folder);
    CheckScript(entry.path(), folder, &tally);
    fs::remove_all(folder);
  }
  fs::remove_all(name);
  std::printf("%d scripts: %d valid modules, %d malformed, %d invalid\n", scripts, tally.valid,
              tally.malformed, tally.invalid);
  EXPECT_GT(tally.valid, 1000);
  EXPECT_GT(tally.malformed + tally.invalid, 2000);
  EXPECT_EQ(tally.other_reason, kOtherReason);
}

}  // namespace
}  // namespace wb::test
