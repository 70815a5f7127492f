// Calls and answers as lines.

#include "client/cli/host/call_json.h"

#include <gtest/gtest.h>

#include "client/cli/encoding/base64.h"
#include "client/cli/host/handler_lines.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

TEST(CallJson, ACallIsALineWithItsValuesAndBytes) {
  v1::HostCall call;
  call.set_instance(1);
  call.set_import("env.on_url");
  call.add_args()->set_i32(-1);
  call.add_args()->set_i64(int64_t{1} << 53);
  call.add_args()->set_i64((int64_t{1} << 53) + 1);
  call.add_args()->set_f64_bits(0x7ff8000000000000);
  call.add_args()->set_f32_bits(0x3fc00000);
  call.add_bytes("hello");
  EXPECT_EQ(CallLine(call, {1001, 2}),
            R"({"instance":1001,"call":2,"import":"env.on_url",)"
            R"("args":[-1,9007199254740992,"9007199254740993","nan",1.5],"bytes":["aGVsbG8="]})"
            "\n");
}

class HandlerLineTest : public testing::Test {
 protected:
  HandlerLine Read(const std::string& line) const {
    return ReadHandlerLine(line, [this](const CallKey& key) -> std::optional<WaitingCall> {
      if (key != CallKey{3, 0}) return std::nullopt;
      return WaitingCall{"env.f", is_known_ ? &types_ : nullptr};
    });
  }
  std::vector<v1::ValueType> types_;
  bool is_known_ = true;
};

TEST_F(HandlerLineTest, AnAnswerHasResultsOfTheImportsTypesAndWrites) {
  types_ = {v1::I32, v1::I64, v1::F32, v1::F64};
  const HandlerLine line =
      Read(R"({"instance":3,"call":0,"import":"env.f","args":[],"bytes":[],)"
           R"("results":[4294967295,"9007199254740993",0.5,"-nan"],)"
           R"("writes":[{"at":4294967295,"bytes":"aGk="},{"at":8,"bytes":""}]})");
  ASSERT_TRUE(line.key);
  ASSERT_TRUE(line.answer.ok()) << line.answer.status().message();
  const v1::HostAnswer& answer = *line.answer;
  ASSERT_EQ(answer.results_size(), 4);
  EXPECT_EQ(answer.results(0).i32(), -1);
  EXPECT_EQ(answer.results(1).i64(), 9007199254740993);
  EXPECT_EQ(answer.results(2).f32_bits(), 0x3f000000u);
  EXPECT_EQ(answer.results(3).f64_bits(), 0xfff8000000000000u);
  ASSERT_EQ(answer.writes_size(), 2);
  EXPECT_EQ(answer.writes(0).pointer(), 0xffffffffu);
  EXPECT_EQ(answer.writes(0).data(), "hi");
}

TEST_F(HandlerLineTest, AnErrorIsPassedOn) {
  EXPECT_EQ(Read(R"({"instance":3,"call":0,"error":"no such url"})").answer->error(),
            "no such url");
  EXPECT_FALSE(Read(R"({"instance":3,"call":0,"error":""})").answer->error().empty());
}

TEST_F(HandlerLineTest, AWrongAnswerIsItsCallsError) {
  types_ = {v1::I32};
  for (const char* rest :
       {R"("results":[])", R"("results":[1,2])", R"("results":[null])", R"("results":[1.5])",
        R"("results":[4294967296])", R"("results":7)", R"("result":[1])",
        R"("results":[1],"writes":[{"at":-1.5,"bytes":""}])",
        R"("results":[1],"writes":[{"at":0,"bytes":"a"}])", R"("results":[1],"writes":[{"at":0}])",
        R"("results":[1],"error":"both")", R"("error":7)"}) {
    const HandlerLine line = Read(R"({"instance":3,"call":0,)" + std::string(rest) + "}");
    EXPECT_TRUE(line.key) << rest;
    EXPECT_FALSE(line.answer.ok()) << rest;
  }
}

TEST_F(HandlerLineTest, ALineOfNoCallIsNoCallsError) {
  for (const char* text :
       {"nonsense", "[]", "7", R"({"instance":3})", R"({"instance":-3,"call":0})",
        R"({"instance":4,"call":0})", R"({"instance":3,"call":"0"})"}) {
    const HandlerLine line = Read(text);
    EXPECT_FALSE(line.key) << text;
    EXPECT_FALSE(line.answer.ok()) << text;
  }
}

TEST_F(HandlerLineTest, ResultsOfUnknownTypesAreRefusedAndNoneAreTaken) {
  is_known_ = false;
  EXPECT_FALSE(Read(R"({"instance":3,"call":0,"results":[1]})").answer.ok());
  EXPECT_TRUE(Read(R"({"instance":3,"call":0})").answer.ok());
}

TEST(CallJson, AQuotedLineIsBounded) {
  EXPECT_EQ(QuotedLine("a\"\x01"), R"(["a\"\u0001"])");
  EXPECT_LT(QuotedLine(std::string(100'000, 'x')).size(), 300u);
}

TEST(Base64, WhatIsPaddedIsReadAndNothingElse) {
  EXPECT_EQ(BytesOfBase64(""), "");
  EXPECT_EQ(BytesOfBase64("aGk="), "hi");
  EXPECT_EQ(BytesOfBase64("aA=="), "h");
  EXPECT_EQ(BytesOfBase64("aGV5"), "hey");
  EXPECT_EQ(BytesOfBase64("+/8="), "\xfb\xff");
  for (const char* bad : {"a", "aGk", "aG=k", "====", "a===", "aGl=", "aGk=aGk=", "aG k", "-_8="}) {
    EXPECT_FALSE(BytesOfBase64(bad)) << bad;
  }
}

TEST(HandlerLines, LinesAreJoinedFromPartsAndBounded) {
  HandlerLines lines(5);
  std::vector<std::string> got;
  const auto add = [&](std::string_view bytes) {
    return lines.Add(bytes, [&got](const std::string& line) { got.push_back(line); });
  };
  EXPECT_TRUE(add("ab"));
  EXPECT_TRUE(add("cde\n\n12\r\n3"));
  EXPECT_TRUE(add("\n"));
  EXPECT_EQ(got, (std::vector<std::string>{"abcde", "12", "3"}));
  EXPECT_TRUE(add("12345"));
  EXPECT_FALSE(add("6"));
}

}  // namespace
}  // namespace wb::cli
