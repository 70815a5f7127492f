#include "client/cli/tree/completion.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "client/cli/commands/commands.h"

namespace wb::cli {
namespace {

using Kind = Completions::Kind;
using Words = std::vector<std::string>;

// Over the commands as they are.
class CompletionTest : public testing::Test {
 protected:
  CompletionTest() {
    app_.add_option("--addr", address_);
    AddModuleCommands(&app_, &chosen_);
    AddJobCommands(&app_, &chosen_);
    AddHelpCommands(&app_, &chosen_);
  }
  Completions At(const Words& words) { return Complete(app_, words); }

  CLI::App app_{"test"};
  std::string address_;
  Command chosen_;
};

TEST_F(CompletionTest, Commands) {
  EXPECT_EQ(At({"mo"}).words, Words{"module"});
  EXPECT_EQ(At({""}).words, (Words{"completion", "job", "module", "version"}));
  EXPECT_EQ(At({"--addr", "x", "job", "ca"}).words, Words{"cancel"});
  EXPECT_EQ(At({"--addr=x", "job", "ca"}).words, Words{"cancel"});
  EXPECT_TRUE(At({"--addr", "jo"}).words.empty());  // a value
}

TEST_F(CompletionTest, FlagsOfTheCommandAndOfThoseAboveIt) {
  EXPECT_EQ(At({"job", "run", "x.wasm", "--plac"}).words, Words{"--placement"});
  EXPECT_EQ(At({"job", "run", "--ad"}).words, Words{"--addr"});
  EXPECT_TRUE(At({"job", "list", "--pl"}).words.empty());
  EXPECT_TRUE(At({"job", "run", "--", "--pl"}).words.empty());
}

TEST_F(CompletionTest, ValuesThatAreAChoice) {
  EXPECT_EQ(At({"job", "run", "--placement", ""}).words,
            (Words{"auto", "cpu", "gpu", "interpreter"}));
  EXPECT_EQ(At({"job", "run", "--floats=f"}).words, Words{"fast32"});
  EXPECT_EQ(At({"completion", "z"}).words, Words{"zsh"});
  EXPECT_EQ(At({"job", "run", "--call-as", "h"}).words, Words{"hash-wasm"});
  EXPECT_TRUE(At({"job", "run", "--call", ""}).words.empty());
}

TEST_F(CompletionTest, FilesAndFolders) {
  EXPECT_EQ(At({"job", "run", ""}).kind, Kind::kFiles);
  EXPECT_EQ(At({"job", "run", "x.wasm", ""}).kind, Kind::kWords);
  EXPECT_EQ(At({"job", "run", "x.wasm", "--program", "p"}).kind, Kind::kFiles);
  EXPECT_EQ(At({"job", "run", "--out="}).kind, Kind::kFolders);
  EXPECT_EQ(At({"job", "run", "--module", "env"}).kind, Kind::kWords);
  EXPECT_EQ(At({"job", "run", "--module", "env=li"}).kind, Kind::kFiles);
  EXPECT_EQ(At({"module", "inspect", ""}).kind, Kind::kFiles);
}

TEST_F(CompletionTest, TheAnswerIsAWordPerLine) {
  EXPECT_EQ(CompletionsText({Kind::kWords, {"a", "b"}}), "a\nb\n");
  EXPECT_EQ(CompletionsText({Kind::kFiles, {}}), ":files\n");
  EXPECT_EQ(CompletionsText({Kind::kFolders, {}}), ":folders\n");
}

}  // namespace
}  // namespace wb::cli
