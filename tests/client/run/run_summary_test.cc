#include "client/cli/output/run_summary.h"

#include <gtest/gtest.h>

#include "client/cli/output/program_output.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::InstanceResult Exited(uint32_t code, const std::string& errors = "") {
  v1::InstanceResult result;
  result.set_end(v1::EXITED);
  result.set_exit_code(code);
  if (errors.empty()) return result;
  v1::Output* output = result.add_outputs();
  output->set_name("stderr");
  output->set_data(errors);
  return result;
}

v1::InstanceResult Ended(v1::End end) {
  v1::InstanceResult result;
  result.set_end(end);
  return result;
}

TEST(RunSummary, ExitCodesAreCountedAndReturningIsZero) {
  RunSummary summary;
  summary.Add(Ended(v1::RETURNED), "a");
  summary.Add(Exited(0), "b");
  summary.Add(Exited(3), "c");
  summary.Add(Ended(v1::OUT_OF_FUEL), "d");
  EXPECT_EQ(summary.CodesText(), "exit codes: 2 times 0, 1 times 3; 1 out of fuel");
  EXPECT_EQ(summary.failed(), 2u);
}

TEST(RunSummary, TheFirstFailuresAreShownWithTheirErrors) {
  RunSummary summary;
  summary.Add(Exited(1, "no such file\nusage: x\n"), "a");
  for (int i = 0; i < 4; ++i) summary.Add(Exited(2), "b");
  EXPECT_EQ(summary.FailuresText(true),
            "[a] exited with 1\n  no such file\n  usage: x\n[b] exited with 2\n"
            "[b] exited with 2\nand [2] more failed\n");
  EXPECT_EQ(summary.FailuresText(false).find("usage"), std::string::npos);
}

TEST(RunSummary, OfLongErrorsTheEndIsShown) {
  RunSummary summary;
  summary.Add(Exited(1, std::string(5000, 'x') + "the cause"), "a");
  const std::string text = summary.FailuresText(true);
  EXPECT_LT(text.size(), 1100u);
  EXPECT_NE(text.find("the cause"), std::string::npos);
}

TEST(RunSummary, FilesWithoutRoomNameTheFlagsThatGiveSome) {
  RunSummary summary;
  summary.Add(Exited(1, "cp: write: No space left on device\n"), "a");
  v1::InstanceResult panicked = Exited(0, "write: no space left on device (os error 51)\n");
  panicked.set_end(v1::TRAPPED);
  summary.Add(panicked, "b");
  summary.Add(Exited(0, "No space left on device, so it used less.\n"), "c");
  const std::string text = summary.FailuresText(false);
  EXPECT_TRUE(text.starts_with(
      "[a] exited with 1; its files are full, --scratch and --memory allow more\n"))
      << text;
  const size_t second = text.find("[b] trapped");
  ASSERT_NE(second, std::string::npos);
  EXPECT_NE(text.find("--scratch and --memory", second), std::string::npos) << text;
  EXPECT_EQ(summary.failed(), 2u);
}

TEST(RunSummary, AShellGetsTheCodeOfOneProgram) {
  EXPECT_EQ(ProgramExitCode(Ended(v1::RETURNED)), 0);
  EXPECT_EQ(ProgramExitCode(Exited(7)), 7);
  EXPECT_EQ(ProgramExitCode(Exited(256 + 7)), 7);
  EXPECT_EQ(ProgramExitCode(Ended(v1::TRAPPED)), 134);
  EXPECT_EQ(ProgramExitCode(Ended(v1::OUT_OF_FUEL)), 1);
}

TEST(RunSummary, EveryLineHasTheTag) {
  EXPECT_EQ(Tagged("a\n\nb", "t"), "t\ta\nt\t\nt\tb\n");
  EXPECT_EQ(Tagged("", "t"), "");
}

}  // namespace
}  // namespace wb::cli
