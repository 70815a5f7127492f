#include "client/cli/program/input_columns.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

InputColumn OfRange(const std::string& text, v1::ValueType type) {
  const ArgSpec spec = ParseArgSpec(text).value();
  return ShownInput("n", spec, BuildColumn(spec, type, 3).value());
}

InputColumn OfTexts(std::vector<std::string> texts, bool paths = false) {
  return {"c", std::move(texts), std::nullopt, paths};
}

TEST(InputColumns, ARangeShowsTheNumberThatTheInstanceGot) {
  EXPECT_EQ(OfRange("5..20:5", v1::I64).TextAt(2), "15");
  EXPECT_EQ(OfRange("4294967295..4294967299", v1::I64).TextAt(1), "4294967296");
  EXPECT_EQ(OfRange("0..1:0.1", v1::F64).TextAt(2), "0.2");
  EXPECT_EQ(OfRange("0..1:0.1", v1::F32).TextAt(1), "0.1");
  EXPECT_EQ(OfRange("10..0:-4", v1::I32).TextAt(2), "2");
}

TEST(InputColumns, TextsStayAsTheyWereWritten) {
  EXPECT_EQ(OfTexts({"0x10", "007"}).TextAt(1), "007");
  EXPECT_EQ(OfTexts({"one"}).TextAt(7), "one");
}

TEST(InputColumns, AreChosenByName) {
  const std::vector<InputColumn> known = {{"n", {"1"}, std::nullopt, false},
                                          {"file", {"a"}, std::nullopt, true}};
  EXPECT_EQ(ChooseInputs({"file", "n"}, known, 1).value()[0].name, "file");
  EXPECT_EQ(ChooseInputs({"x"}, known, 1).status().message(),
            "The job has no column [x] to show; it has [n], [file]; @FILE.csv:NAME shows another.");
}

TEST(InputColumns, OthersAreReadFromAFile) {
  char folder[] = "/tmp/wb_inputs_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string csv = std::string(folder) + "/x.csv";
  ASSERT_TRUE(WriteFile(csv, "id,n\nann,1\nbob,2\n").ok());
  const std::vector<InputColumn> chosen = ChooseInputs({"@" + csv + ":id"}, {}, 2).value();
  EXPECT_EQ(chosen[0].name, "id");
  EXPECT_EQ(chosen[0].TextAt(1), "bob");
  EXPECT_NE(ChooseInputs({"@" + csv + ":id"}, {}, 3).status().message().find("[2] values for [3]"),
            std::string::npos);
  EXPECT_FALSE(ChooseInputs({"@" + csv}, {}, 2).ok());
  std::filesystem::remove_all(folder);
}

TEST(FileNames, AreTheTextOrTheLastPartOfAPath) {
  EXPECT_EQ(FileNameAt(OfTexts({"in/a.txt"}, true), 0), "a.txt");
  EXPECT_EQ(FileNameAt(OfTexts({"ann"}), 0), "ann");
}

TEST(FileNames, LeaveNoFolderAndNoneComesTwice) {
  EXPECT_TRUE(CheckFileNames(OfTexts({"a", "b"}), 2).ok());
  EXPECT_TRUE(CheckFileNames(OfRange("0..3", v1::I32), 3).ok());
  for (const std::string bad : {"", ".", "..", "../etc/passwd", "a/b"}) {
    const Status status = CheckFileNames(OfTexts({"fine", bad}), 2);
    EXPECT_NE(status.message().find("of instance [1] in column [c] cannot name a file"),
              std::string::npos)
        << bad << ": " << status.message();
  }
  EXPECT_FALSE(CheckFileNames(OfTexts({std::string(300, 'x')}), 1).ok());
  EXPECT_NE(CheckFileNames(OfTexts({"x/a", "y/b", "y/a"}, true), 3)
                .message()
                .find("[a] of instance [2] in column [c] is that of instance [0] too"),
            std::string::npos);
  EXPECT_FALSE(CheckFileNames(OfTexts({"same"}), 2).ok());
}

}  // namespace
}  // namespace wb::cli
