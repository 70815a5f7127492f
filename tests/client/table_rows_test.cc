#include "client/cli/encoding/table_rows.h"

#include <gtest/gtest.h>

#include <sstream>

namespace wb::cli {
namespace {

using Texts = std::vector<std::string>;

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

TEST(Csv, QuotesAndWrongLines) {
  std::string text = "a,\"b \"\"x\"\"\",c\r\n1,\"two\nlines\",3\n4,,6\n";
  EXPECT_EQ(CsvColumn(text, "b \"x\"").value(), (std::vector<std::string>{"two\nlines", ""}));
  EXPECT_EQ(CsvColumn(text, "c").value(), (std::vector<std::string>{"3", "6"}));
  EXPECT_FALSE(CsvColumn(text, "d").ok());
  EXPECT_FALSE(CsvColumn("", "d").ok());
  EXPECT_FALSE(CsvColumn("a,b\n1\n", "a").ok());
  EXPECT_FALSE(CsvColumn("a\n\"1\n", "a").ok());
  EXPECT_EQ(CsvColumn("a\n1\n2", "a").value().size(), 2u);
}

TEST(Jsonl, OneMember) {
  std::string text = "{\"a\": 1, \"b\": \"nan\"}\n\n{\"a\": -2.5, \"b\": \"7\"}\n";
  EXPECT_EQ(JsonlColumn(text, "a").value(), (std::vector<std::string>{"1", "-2.5"}));
  EXPECT_EQ(JsonlColumn(text, "b").value(), (std::vector<std::string>{"nan", "7"}));
  EXPECT_FALSE(JsonlColumn(text, "c").ok());
  EXPECT_FALSE(JsonlColumn("[1]\n", "a").ok());
  EXPECT_FALSE(JsonlColumn("{\"a\": [1]}\n", "a").ok());
  EXPECT_FALSE(JsonlColumn("nonsense", "a").ok());
}

TEST(Csv, RowsComeOneByOne) {
  std::istringstream stream("k,v\n1,2\n\n\"3\n3\",4\n5\n");
  const std::unique_ptr<TableRows> rows = CsvRows(stream).value();
  EXPECT_EQ(rows->names(), (Texts{"k", "v"}));
  EXPECT_EQ(rows->Next().value(), (Texts{"1", "2"}));
  EXPECT_EQ(rows->Next().value(), (Texts{"3\n3", "4"}));
  EXPECT_EQ(rows->line(), 4u);
  EXPECT_EQ(rows->Next().status().message(), "Line 6 has [1] fields; the header has [2].");
  std::istringstream empty("");
  EXPECT_EQ(CsvRows(empty).status().message(), "Line 1 is missing; the CSV file is empty.");
}

TEST(Csv, AHeaderMayHaveLinesInQuotes) {
  std::istringstream stream("\"a\nb\",c\n1,2");
  const std::unique_ptr<TableRows> rows = CsvRows(stream).value();
  EXPECT_EQ(rows->names(), (Texts{"a\nb", "c"}));
  EXPECT_EQ(rows->Next().value(), (Texts{"1", "2"}));
  EXPECT_EQ(rows->line(), 3u);
  EXPECT_EQ(rows->Next().value(), std::nullopt);
}

TEST(Jsonl, RowsComeOneByOne) {
  std::istringstream stream(
      "\n{\"z\":1,\"a\":\"x\"}\n{\"a\":\"y\",\"z\":2,\"more\":[]}\n{\"z\":3}\n");
  const std::unique_ptr<TableRows> rows = JsonlRows(stream).value();
  EXPECT_EQ(rows->names(), (Texts{"z", "a"}));
  EXPECT_EQ(rows->Next().value(), (Texts{"1", "x"}));
  EXPECT_EQ(rows->line(), 2u);
  EXPECT_EQ(rows->Next().value(), (Texts{"2", "y"}));
  EXPECT_EQ(rows->Next().status().message(), "Line 4 has no member [a], which the first line has.");
}

}  // namespace
}  // namespace wb::cli
