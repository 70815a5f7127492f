#include "tests/spec/script.h"

#include <gtest/gtest.h>

namespace wb::spec {
namespace {

Command Only(const std::string& command) {
  const auto script =
      ParseScript("{\"source_filename\": \"x.wast\", \"commands\": [" + command + "]}");
  EXPECT_TRUE(script.ok()) << script.status().ToString();
  EXPECT_EQ(script->commands.size(), 1u);
  return script->commands[0];
}

TEST(ParseScript, AssertReturn) {
  const Command command = Only(
      R"({"type": "assert_return", "line": 7, "action": {"type": "invoke", "module": "$M",
          "field": "a\u0000\u0022é", "args": [{"type": "i64", "value": "18446744073709551615"},
          {"type": "f32", "value": "2143289344"}]},
          "expected": [{"type": "f64", "value": "nan:arithmetic"}, {"type": "i32", "value": "9"}]})");
  EXPECT_EQ(command.kind, CommandKind::kAssertReturn);
  EXPECT_EQ(command.line, 7u);
  EXPECT_FALSE(command.action.get);
  EXPECT_EQ(command.action.module, "$M");
  EXPECT_EQ(command.action.field, std::string("a\0\"\xc3\xa9", 5));
  ASSERT_EQ(command.action.args.size(), 2u);
  EXPECT_EQ(command.action.args[0].value, Value::I64(~uint64_t{0}));
  EXPECT_EQ(command.action.args[1].value.words[0], 0x7fc00000u);
  ASSERT_EQ(command.expected.size(), 2u);
  EXPECT_EQ(command.expected[0].nans[0], NanClass::kArithmetic);
  EXPECT_EQ(command.expected[1].value, Value::I32(9));
}

TEST(ParseScript, VectorLanes) {
  const Command command = Only(
      R"({"type": "assert_return", "action": {"type": "invoke", "field": "f", "args": [
          {"type": "v128", "lane_type": "i16", "value": ["1","2","3","4","5","6","7","65535"]}]},
          "expected": [{"type": "v128", "lane_type": "f64",
                        "value": ["4607182418800017408", "nan:canonical"]}]})");
  const Value& value = command.action.args[0].value;
  EXPECT_EQ(value.words, (std::array<uint32_t, 4>{0x20001, 0x40003, 0x60005, 0xffff0007}));
  EXPECT_EQ(command.expected[0].lane_bits, 64);
  EXPECT_EQ(command.expected[0].value.words[1], 0x3ff00000u);
  EXPECT_EQ(command.expected[0].nans[1], NanClass::kCanonical);
}

TEST(ParseScript, AlternativesOfAResult) {
  const Command command = Only(
      R"({"type": "assert_return", "action": {"type": "invoke", "field": "f"},
          "either": [{"type": "i32", "value": "1"}, {"type": "i32", "value": "2"}]})");
  EXPECT_TRUE(command.either);
  ASSERT_EQ(command.expected.size(), 2u);
  EXPECT_EQ(command.expected[1].value, Value::I32(2));
}

TEST(ParseScript, ModulesAndReferences) {
  EXPECT_TRUE(Only(R"({"type": "assert_malformed", "filename": "x.1.wat", "text": "t",
                       "module_type": "text"})")
                  .is_text);
  EXPECT_EQ(Only(R"({"type": "register", "as": "M", "name": "$M"})").as, "M");
  const Command command = Only(
      R"({"type": "assert_return", "action": {"type": "get", "field": "g"}, "expected": [
          {"type": "externref", "value": "null"}, {"type": "funcref"}]})");
  EXPECT_TRUE(command.action.get);
  EXPECT_EQ(command.expected[0].value.words[0], ScriptValue::kNullReference);
  EXPECT_TRUE(command.expected[1].any_value);
}

TEST(ParseScript, RefusesWhatIsNotWast2Json) {
  for (const char* json :
       {"", "[]", "{}", R"({"commands": [{"type": "assert_exotic"}]})",
        R"({"commands": [{"type": "action", "action": {"type": "poke"}}]})",
        R"({"commands": [{"type": "action", "action": {"type": "invoke", "args": [
            {"type": "i32", "value": "1x"}]}}]})",
        R"({"commands": [{"type": "action", "action": {"type": "invoke", "args": [
            {"type": "v128", "lane_type": "i64", "value": ["1"]}]}}]})"}) {
    const auto script = ParseScript(json);
    ASSERT_FALSE(script.ok()) << json;
    EXPECT_EQ(script.status().reason(), Reason::kInvalidArgument);
  }
}

}  // namespace
}  // namespace wb::spec
