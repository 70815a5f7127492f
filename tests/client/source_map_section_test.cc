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

std::string Section(const std::string& offset, const std::string& map) {
  return R"({"offset": )" + offset + R"(, "map": )" + map + "}";
}

std::string Indexed(const std::string& sections) {
  return R"({"version": 3, "sections": [)" + sections + "]}";
}

const char* const kStart = R"({"line": 0, "column": 0})";
const char* const kLater = R"({"line": 0, "column": 12})";
const char* const kMap =
    R"({"version": 3, "sourceRoot": "lib/", "sources": ["../a.c"], "sourcesContent": ["long"],
        "mappings": "AAGA"})";

TEST(SourceMapSection, AnIndexedMapGivesLinesToo) {
  const std::string two = Indexed(Section(kStart, kMap) + "," + Section(kLater, kMap));
  const std::string with = WithSourceMap(Binary(), two, "a.map").value();
  const std::shared_ptr<const Module> module = *Module::Decode(AsBytes(with));
  const SourceMap found(FindDebugSections(module->binary()).source_map);
  EXPECT_EQ(found.At(0, 11).file, "lib/../a.c");
  EXPECT_EQ(found.At(12, 20).line, 4u);
  EXPECT_EQ(found.At(13, 20).line, 0u);
}

TEST(SourceMapSection, AWrongSectionIsNamed) {
  const auto said = [](const std::string& map) {
    return WithSourceMap(Binary(), map, "a.map").status().message();
  };
  const std::string first = Section(kStart, kMap) + ",";
  EXPECT_EQ(said(Indexed(first + Section(kLater, Indexed(Section(kStart, kMap))))),
            "--source-map [a.map] has a section [1] that is an indexed map itself, which the "
            "specification of source maps (ECMA-426) forbids. Write its sections into the outer "
            "map.");
  EXPECT_NE(said(Indexed(Section(kLater, kMap) + "," + Section(kStart, kMap)))
                .find("section [1] that begins before the one in front of it"),
            std::string::npos);
  for (const char* wrong : {"7", R"({"line": 0})", R"({"line": 0, "column": -1})"}) {
    EXPECT_NE(said(Indexed(Section(wrong, kMap))).find("section [0] without an [offset]"),
              std::string::npos)
        << wrong;
  }
  EXPECT_NE(said(Indexed("7")).find("section [0] without an [offset]"), std::string::npos);
  EXPECT_NE(said(Indexed(first + R"({"offset": {"line": 0, "column": 9}, "url": "b.map"})"))
                .find("section [1] whose [map] is no source map"),
            std::string::npos);
  EXPECT_NE(said(R"({"version": 3, "sections": {}})").find("[sections] that are no list"),
            std::string::npos);
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
