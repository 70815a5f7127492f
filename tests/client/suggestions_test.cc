#include "client/cli/tree/suggestions.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace wb::cli {
namespace {

class SuggestionsTest : public testing::Test {
 protected:
  SuggestionsTest() {
    app_.add_option("--addr", text_);
    CLI::App* job = app_.add_subcommand("job");
    CLI::App* run = job->add_subcommand("run");
    run->add_option("file", text_);
    run->add_option("--arg", text_);
    run->add_flag("--follow", flag_);
    job->add_subcommand("results");
    app_.add_subcommand("device");
  }
  std::string Said(std::vector<std::string> words) { return UnknownWord(app_, words).value_or(""); }

  CLI::App app_{"test"};
  std::string text_;
  bool flag_ = false;
};

TEST_F(SuggestionsTest, KnownWordsAreNotNamed) {
  EXPECT_EQ(Said({"job", "run", "x.wasm", "--arg", "1", "--follow"}), "");
  EXPECT_EQ(Said({"--addr", "rum", "job", "run", "--addr=x", "-5"}), "");
  EXPECT_EQ(Said({"job", "run", "--", "--unknown"}), "");
}

TEST_F(SuggestionsTest, CommandsAndTheirNeighbours) {
  EXPECT_EQ(Said({"job", "rum", "x"}), "unknown command [rum] of [job]; did you mean [run]?");
  EXPECT_EQ(Said({"jbo"}), "unknown command [jbo]; did you mean [job]?");
  EXPECT_EQ(Said({"job", "res"}), "unknown command [res] of [job]; did you mean [results]?");
  EXPECT_EQ(Said({"frobnicate"}), "unknown command [frobnicate]; known are: job, device");
}

TEST_F(SuggestionsTest, FlagsOfTheCommandAndOfAllAboveIt) {
  EXPECT_EQ(Said({"job", "run", "--args", "1"}),
            "unknown flag [--args] of [run]; did you mean [--arg]?");
  EXPECT_EQ(Said({"job", "run", "--folow"}),
            "unknown flag [--folow] of [run]; did you mean [--follow]?");
}

TEST(EditDistance, CountsSwapsOnce) {
  EXPECT_EQ(EditDistance("run", "run"), 0u);
  EXPECT_EQ(EditDistance("rum", "run"), 1u);
  EXPECT_EQ(EditDistance("jbo", "job"), 1u);
  EXPECT_EQ(EditDistance("", "job"), 3u);
}

}  // namespace
}  // namespace wb::cli
