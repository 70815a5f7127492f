#include "client/cli/program/each_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

using Texts = std::vector<std::string>;

class EachFileTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_each_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    std::filesystem::create_directory(folder_ + "/folder");
    for (const char* name : {"b", "a", "B", "c.txt"}) {
      ASSERT_TRUE(WriteFile(folder_ + "/" + name, std::string("of ") + name).ok());
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(EachFileTest, FilesAreSortedAndFoldersLeftOut) {
  const ArgSpec files = ReadEachFile(folder_ + "/*").value();
  EXPECT_EQ(files.shown,
            (Texts{folder_ + "/B", folder_ + "/a", folder_ + "/b", folder_ + "/c.txt"}));
  EXPECT_EQ(files.texts, (Texts{"of B", "of a", "of b", "of c.txt"}));
  EXPECT_EQ(files.kind, ArgSpec::Kind::kBytes);
  EXPECT_EQ(ReadEachFile(folder_ + "/[ab]").value().texts.size(), 2u);
}

TEST_F(EachFileTest, APatternThatMatchesNothingIsNamed) {
  const Status status = ReadEachFile(folder_ + "/*.none").status();
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("No file matches [" + folder_ + "/*.none]"), std::string::npos);
  EXPECT_FALSE(ReadEachFile(folder_ + "/fold*").ok());
}

TEST_F(EachFileTest, ThereIsAMostOfFilesAndOfBytes) {
  EXPECT_NE(ReadEachFile(folder_ + "/*", {3, 1000}).status().message().find("matches [4] files"),
            std::string::npos);
  EXPECT_TRUE(ReadEachFile(folder_ + "/*", {4, 20}).ok());
  EXPECT_NE(ReadEachFile(folder_ + "/*", {4, 19}).status().message().find("one job takes [19]"),
            std::string::npos);
}

}  // namespace
}  // namespace wb::cli
