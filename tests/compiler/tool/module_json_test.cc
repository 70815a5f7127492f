#include "compiler/tool/module_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

using Json = nlohmann::json;

std::shared_ptr<const Module> Decoded(const std::string& wat) {
  return Module::Decode(MustAssemble(wat)).value();
}

TEST(ModuleJson, HasTheFieldsOfTheMessage) {
  const auto module = Decoded(R"((module
    (import "env" "log" (func (param i32 v128)))
    (import "env" "base" (global (mut i64)))
    (memory (export "memory") 2 5)
    (global (export "__rtti_base") i32 (i32.const 8))
    (data (i32.const 8) "\01\00\00\00\20")
    (table (export "table") 3 funcref)
    (func (export "f") (param f64) (result i32 f32) unreachable)))");
  const Json json = Json::parse(ModuleJson(*module));
  EXPECT_EQ(json["name"], "modules/sha256:" + module->digest().Hex());
  EXPECT_EQ(json["size_bytes"], module->binary().size());
  EXPECT_EQ(json["imports"][0], (Json{{"module", "env"},
                                      {"name", "log"},
                                      {"kind", "function"},
                                      {"type", "(i32, v128) -> ()"}}));
  EXPECT_EQ(json["imports"][1]["type"], "mutable i64");
  EXPECT_EQ(json["exports"][0]["type"], "2..5 pages");
  EXPECT_EQ(json["exports"][2]["type"], "3 or more funcref");
  EXPECT_EQ(json["exports"][3]["params"], Json{"F64"});
  EXPECT_EQ(json["exports"][3]["results"], (Json{"I32", "F32"}));
  EXPECT_EQ(json["exports"][3]["type"], "(f64) -> (i32, f32)");
  EXPECT_EQ(json["memory_max_pages"], 5);
  EXPECT_EQ(json["functions"], 1);
  EXPECT_EQ(json["class_flags"], Json::array({0x20}));
}

TEST(ModuleJson, AnErrorKeepsItsReasonAndDetails) {
  const Json error = Json::parse(ErrorJson(Module::Decode({}).status()))["error"];
  EXPECT_EQ(error["reason"], "WASM_MALFORMED");
  EXPECT_NE(error["message"].get<std::string>().find("no bytes"), std::string::npos);
  EXPECT_EQ(
      Json::parse(ErrorJson(Status(Reason::kIoError, "x", {{"file", "y"}})))["error"]["details"],
      (Json::array({{{"key", "file"}, {"value", "y"}}})));
}

}  // namespace
}  // namespace wb::test
