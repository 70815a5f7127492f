#include "client/cli/encoding/source_map_section.h"

#include <gtest/gtest.h>

#include "client/cli/program/wat.h"
#include "compiler/debug/debug_info.h"

namespace wb::cli {
namespace {

std::string Binary() { return AssembleWat("(module (func (unreachable)))", "t").value(); }

TEST(SourceMapSection, TheModuleThenHasLines) {
  const std::string map =
      R"({"version": 3, "sourceRoot": "lib", "sources": ["a.ts"], "names": ["x"],
      "sourcesContent": ["long"], "mappings": "AAGA"})";
  const std::string with = WithSourceMap(Binary(), map, "a.map").value();
  EXPECT_TRUE(with.starts_with(Binary()));
  const std::shared_ptr<const Module> module = *Module::Decode(AsBytes(with));
  // The mapping stands before the function, so that the section alone is asked.
  const SourceMap found(FindDebugSections(module->binary()).source_map);
  EXPECT_EQ(found.At(0, 20).file, "lib/a.ts");
  EXPECT_EQ(found.At(0, 20).line, 4u);
}

TEST(SourceMapSection, WhatIsNoMapIsSaid) {
  const std::string good = R"({"version": 3, "sources": [], "mappings": ""})";
  EXPECT_TRUE(WithSourceMap(Binary(), good, "a.map").ok());
  EXPECT_NE(WithSourceMap("(module)", good, "a.map").status().message().find("goes with a binary"),
            std::string::npos);
  for (const char* wrong :
       {"", "[]", R"({"version": 2, "sources": [], "mappings": ""})",
        R"({"version": 3, "sources": {}, "mappings": ""})", R"({"version": 3, "sources": []})"}) {
    EXPECT_NE(
        WithSourceMap(Binary(), wrong, "a.map").status().message().find("[a.map] is no source"),
        std::string::npos)
        << wrong;
  }
}

}  // namespace
}  // namespace wb::cli
