#include "client/cli/program/files.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace wb::cli {
namespace {

using Texts = std::vector<std::string>;

TEST(Files, AFolderIsNoFile) {
  Result<std::string> read = ReadFile("/tmp");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.status().message(), "The file [/tmp] cannot be read (Is a directory).");
  EXPECT_EQ(CheckWritable("/tmp").message(), "The file [/tmp] cannot be written (Is a directory).");
  EXPECT_FALSE(CheckWritable("/tmp/there/is/no/such/folder").ok());
}

TEST(Csv, AByteOrderMarkAndOtherSeparators) {
  EXPECT_EQ(CsvColumn("\xef\xbb\xbfk,v\r\n1,2\r\n", "k").value(), Texts{"1"});
  EXPECT_EQ(CsvColumn("k;v\n1,5;2\n", "k").value(), Texts{"1,5"});
  EXPECT_EQ(CsvColumn("k\tv\n1\t2\n", "v").value(), Texts{"2"});
  EXPECT_EQ(CsvColumn("k\n1\n", "k").value(), Texts{"1"});
}

TEST(Csv, AMissingColumnNamesThoseThereAre) {
  EXPECT_EQ(CsvColumn("k,v\n1,2\n", "x").status().message(),
            "The CSV file has no column [x]; it has [k], [v].");
  EXPECT_EQ(CsvColumn("", "x").status().message(),
            "The CSV file has no column [x]; it has no line.");
  EXPECT_EQ(JsonlColumn("{\"a\": 1, \"b\": 2}\n", "x").status().message(),
            "Line 1 has no member [x]; it has [a], [b].");
}

}  // namespace
}  // namespace wb::cli
