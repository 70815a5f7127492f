#include "client/cli/program/arg_spec.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "client/cli/program/files.h"
#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

ArgSpec Parsed(const std::string& text) {
  Result<ArgSpec> spec = ParseArgSpec(text);
  EXPECT_TRUE(spec.ok()) << text << ": " << spec.status().message();
  return spec.ok() ? *spec : ArgSpec();
}

uint64_t LengthOfText(const std::string& text) {
  Result<std::optional<uint64_t>> length = LengthOf(Parsed(text));
  return length.ok() ? length->value_or(0) : ~uint64_t{0};
}

TEST(Literal, Integers) {
  EXPECT_EQ(ParseBits("42", v1::I32).value(), 42u);
  EXPECT_EQ(ParseBits("-1", v1::I32).value(), 0xffffffffu);
  EXPECT_EQ(ParseBits("4294967295", v1::I32).value(), 0xffffffffu);
  EXPECT_EQ(ParseBits("-0x80000000", v1::I32).value(), 0x80000000u);
  EXPECT_EQ(ParseBits("0xffffffffffffffff", v1::I64).value(), ~uint64_t{0});
  for (const char* bad : {"", "-", "4294967296", "-2147483649", "1.5", "0x", "1 ", "one"}) {
    EXPECT_FALSE(ParseBits(bad, v1::I32).ok()) << bad;
  }
}

TEST(Literal, FloatsAreRoundedOnceAndKeepNans) {
  EXPECT_EQ(ParseBits("1.5", v1::F64).value(), 0x3ff8000000000000u);
  EXPECT_EQ(ParseBits("0x1p-149", v1::F32).value(), 1u);
  EXPECT_EQ(ParseBits("-0", v1::F32).value(), 0x80000000u);
  EXPECT_EQ(ParseBits("nan", v1::F32).value(), 0x7fc00000u);
  EXPECT_EQ(ParseBits("-nan:0x1", v1::F64).value(), 0xfff0000000000001u);
  EXPECT_EQ(ParseBits("-inf", v1::F32).value(), 0xff800000u);
  // Rounding by way of a double would give the other neighbour.
  EXPECT_EQ(ParseBits("1.00000017881393432617187499", v1::F32).value(), 0x3f800001u);
  for (const char* bad : {"", "x", "1.5x", "nan:0x0", "nan:1", "nan:0x800000", " 1"}) {
    EXPECT_FALSE(ParseBits(bad, v1::F32).ok()) << bad;
  }
}

TEST(Literal, TextReadsBack) {
  for (uint64_t bits : {0x0ull, 0x8000000000000000ull, 0x7ff8000000000000ull, 0xfff0000000000001ull,
                        0x7ff0000000000000ull, 0x3fb999999999999aull, 0x1ull}) {
    std::string text = ValueText(ValueOfBits(bits, v1::F64));
    EXPECT_EQ(ParseBits(text, v1::F64).value(), bits) << text;
    std::string integer = ValueText(ValueOfBits(bits, v1::I64));
    EXPECT_EQ(ParseBits(integer, v1::I64).value(), bits) << integer;
  }
}

TEST(Literal, VectorsAreThirtyTwoDigits) {
  const std::string text = "0x0f0e0d0c0b0a090807060504030201ff";
  Result<v1::Value> value = ParseValue(text, v1::V128);
  ASSERT_TRUE(value.ok()) << value.status().ToString();
  ASSERT_EQ(value->v128().size(), 16u);
  EXPECT_EQ(static_cast<uint8_t>(value->v128()[0]), 0xff);
  EXPECT_EQ(static_cast<uint8_t>(value->v128()[15]), 0x0f);
  EXPECT_EQ(ValueText(*value), text);
  for (const char* bad :
       {"", "1", "0x1", "0f0e0d0c0b0a090807060504030201ff00", "0x0f0e0d0c0b0a090807060504030201f",
        "0x0f0e0d0c0b0a0908070605040302010g", "0x0f0e0d0c0b0a090807060504030201-f"}) {
    EXPECT_FALSE(ParseValue(bad, v1::V128).ok()) << bad;
  }
}

TEST(ArgSpec, Forms) {
  EXPECT_EQ(Parsed("42").kind, ArgSpec::Kind::kConstant);
  EXPECT_EQ(Parsed("f64:1.5").type, v1::F64);
  EXPECT_EQ(Parsed("nan:0x1").texts[0], "nan:0x1");
  EXPECT_EQ(Parsed("[1, 2 ,3]").texts, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(Parsed("hex:00fF").texts[0], std::string("\0\xff", 2));
  EXPECT_EQ(Parsed("text:a:b").texts[0], "a:b");
  for (const char* bad : {"", "[1", "[]", "hex:0", "hex:zz", "@/nowhere/x.csv:a", "@/nowhere/x"}) {
    EXPECT_FALSE(ParseArgSpec(bad).ok()) << bad;
  }
}

TEST(ArgSpec, Ranges) {
  EXPECT_EQ(LengthOfText("0..1024"), 1024u);
  EXPECT_EQ(LengthOfText("0..10:3"), 4u);
  EXPECT_EQ(LengthOfText("10..0:-1"), 10u);
  EXPECT_EQ(LengthOfText("-2..2"), 4u);
  EXPECT_EQ(LengthOfText("0..1:0.25"), 4u);
  EXPECT_EQ(LengthOfText("0..1:0.1"), 10u);
  EXPECT_EQ(LengthOfText("-9223372036854775808..9223372036854775807"), ~uint64_t{0});
  for (const char* bad : {"1..1", "5..1", "0..1:0", "0..x", "0..inf", "0..nan", "0..1e300"}) {
    Result<ArgSpec> spec = ParseArgSpec(bad);
    EXPECT_TRUE(!spec.ok() || !LengthOf(*spec).ok()) << bad;
  }
}

TEST(ArgSpec, ColumnsHaveTheParametersType) {
  v1::Column column = BuildColumn(Parsed("[1,2,3]"), v1::F32, 3).value();
  EXPECT_EQ(column.list().type(), v1::F32);
  EXPECT_EQ(column.list().bits32(2), 0x40400000u);
  column = BuildColumn(Parsed("5..8"), v1::I64, 3).value();
  EXPECT_EQ(column.range().start().i64(), 5);
  EXPECT_EQ(column.range().step().i64(), 1);
  EXPECT_TRUE(BuildColumn(Parsed("5..8"), v1::I64, 2).ok());  // a longer range is cut
  EXPECT_FALSE(BuildColumn(Parsed("5..8"), v1::I64, 4).ok());
  EXPECT_FALSE(BuildColumn(Parsed("[1,2,3]"), v1::I64, 2).ok());
  EXPECT_EQ(BuildColumn(Parsed("f64:[1,2]"), v1::F32, 2).status().reason(),
            Reason::kSignatureMismatch);
  EXPECT_FALSE(BuildColumn(Parsed("[1,x]"), v1::I32, 2).ok());
  EXPECT_EQ(BuildConstant(Parsed("7"), v1::I32).value().i32(), 7);
  EXPECT_FALSE(BuildConstant(Parsed("[7]"), v1::I32).ok());
}

TEST(ArgSpec, BytesOfEachInstance) {
  const ArgSpec spec = Parsed("bytes:[a,bc]");
  EXPECT_EQ(spec.kind, ArgSpec::Kind::kBytes);
  EXPECT_EQ(BuildColumn(spec, v1::VALUE_TYPE_UNSPECIFIED, 2).value().bytes().values(1), "bc");
  EXPECT_EQ(ParseArgSpec("bytes:7").status().message(),
            "The argument [bytes:7] is neither a list, a column nor @FILE.");
}

TEST(Files, ColumnsComeFromFiles) {
  char folder[] = "/tmp/wb_files_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  std::string base = folder;
  ASSERT_TRUE(WriteFile(base + "/x.csv", "n,m\n1,2\n3,4\n").ok());
  ASSERT_TRUE(WriteFile(base + "/x.jsonl", "{\"n\": 5}\n").ok());
  ASSERT_TRUE(WriteFile(base + "/x.bin", std::string("\0a", 2)).ok());
  EXPECT_EQ(Parsed("@" + base + "/x.csv:m").texts, (std::vector<std::string>{"2", "4"}));
  EXPECT_EQ(Parsed("@" + base + "/x.jsonl:n").texts, (std::vector<std::string>{"5"}));
  EXPECT_EQ(Parsed("@" + base + "/x.bin").texts[0], std::string("\0a", 2));
  EXPECT_FALSE(ParseArgSpec("@" + base + "/x.csv").ok());
  std::filesystem::remove_all(base);
}

}  // namespace
}  // namespace wb::cli
