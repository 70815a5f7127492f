#include "compiler/debug/source_map.h"

#include <gtest/gtest.h>

#include <random>

#include "compiler/debug/data_url.h"
#include "compiler/debug/debug_info.h"
#include "tests/compiler/debug/debug_bytes.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

struct TestMapping {
  int64_t offset = 0;
  int64_t source = -1;  // -1: a mapping to nothing
  int64_t line = 0;
};

std::string Vlq(int64_t number) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint64_t bits =
      number < 0 ? static_cast<uint64_t>(-number) << 1 | 1 : static_cast<uint64_t>(number) << 1;
  std::string digits;
  do {
    digits += kDigits[(bits & 31) + (bits > 31 ? 32 : 0)];
    bits >>= 5;
  } while (bits > 0);
  return digits;
}

std::string MappingsOf(const std::vector<TestMapping>& mappings) {
  std::string text;
  TestMapping before{0, 0, 0};
  for (const TestMapping& mapping : mappings) {
    text += (text.empty() ? "" : ",") + Vlq(mapping.offset - before.offset);
    before.offset = mapping.offset;
    if (mapping.source < 0) continue;
    text += Vlq(mapping.source - before.source) + Vlq(mapping.line - before.line) + "A";
    before = mapping;
  }
  return text;
}

Bytes SectionOf(const std::string& url) {
  Bytes section;
  PutUnsigned(section, url.size());
  section.insert(section.end(), url.begin(), url.end());
  return section;
}

std::string MapOf(const std::string& mappings) {
  return R"({"version":3,"sourcesContent":["[{"],"sources":["src/a.ts",null,"b.ts"],"mappings":")" +
         mappings + "\"}";
}

SourceMap SourceMapOf(const std::string& json) {
  return SourceMap(SectionOf("data:application/json," + json));
}

std::string LineOf(const SourceMap& map, uint32_t offset, uint32_t from = 0) {
  const SourceLine line = map.At(from, offset);
  return line.file + ":" + std::to_string(line.line);
}

TEST(SourceMap, AnOffsetHasTheLineOfTheMappingBeforeIt) {
  const SourceMap map =
      SourceMapOf(MapOf(MappingsOf({{40, 0, 6}, {44, 2, 0}, {50}, {60, 0, 1}, {70, 1, 1}})));
  EXPECT_EQ(LineOf(map, 39), ":0");
  EXPECT_EQ(LineOf(map, 40), "src/a.ts:7");
  EXPECT_EQ(LineOf(map, 43), "src/a.ts:7");
  EXPECT_EQ(LineOf(map, 44), "b.ts:1");
  EXPECT_EQ(LineOf(map, 55), ":0");  // of no source
  EXPECT_EQ(LineOf(map, 65), "src/a.ts:2");
  EXPECT_EQ(LineOf(map, 75), ":0");  // of a source without a name
}

TEST(SourceMap, AMappingBeforeTheFunctionSaysNothing) {
  const SourceMap map = SourceMapOf(MapOf(MappingsOf({{40, 0, 6}})));
  EXPECT_EQ(LineOf(map, 45, 40), "src/a.ts:7");
  EXPECT_EQ(LineOf(map, 45, 41), ":0");
}

TEST(SourceMap, SourcesStandBelowTheirRoot) {
  const SourceMap map = SourceMapOf(
      R"({"mappings":"AAAA;AACA","sourceRoot":"lib","names":[],"sources":["a\/b.ts"]})");
  EXPECT_EQ(LineOf(map, 0), "lib/a/b.ts:1");  // lines behind the first are of other files
}

// Emscripten writes sources relative to the output.
TEST(SourceMap, RelativeSourcesStandBehindTheirRootAsTheyAre) {
  const SourceMap map = SourceMapOf(
      R"({"version":3,"sources":["../../src/calc.c","../cache/libc/math.c"],"names":[],)"
      R"("sourceRoot":"https://here/","mappings":")" +
      MappingsOf({{5, 0, 11}, {9, 1, 2}}) + "\"}");
  EXPECT_EQ(LineOf(map, 6), "https://here/../../src/calc.c:12");
  EXPECT_EQ(LineOf(map, 9), "https://here/../cache/libc/math.c:3");
}

std::string SectionAt(const std::string& offset, const std::string& map) {
  return R"({"map":)" + map + R"(,"offset":)" + offset + "}";
}

std::string SectionAt(int64_t column, const std::string& source,
                      const std::vector<TestMapping>& mappings) {
  return SectionAt(R"({"line":0,"column":)" + std::to_string(column) + "}",
                   R"({"version":3,"sources":[")" + source + R"("],"mappings":")" +
                       MappingsOf(mappings) + "\"}");
}

std::string IndexOf(const std::vector<std::string>& sections) {
  std::string text;
  for (const std::string& section : sections) text += (text.empty() ? "" : ",") + section;
  return R"({"version":3,"file":"a.wasm","sections":[)" + text + "]}";
}

TEST(SourceMapSections, OffsetsCountFromTheSectionsStart) {
  const SourceMap map =
      SourceMapOf(IndexOf({SectionAt(10, "a.c", {{0, 0, 0}, {20, 0, 4}}),
                           SectionAt(100, "b.c", {{5, 0, 6}, {8}, {9, 0, 7}}),
                           SectionAt(200, "c.c", {}), SectionAt(300, "d.c", {{0, 0, 1}})}));
  EXPECT_EQ(LineOf(map, 9), ":0");
  EXPECT_EQ(LineOf(map, 10), "a.c:1");
  EXPECT_EQ(LineOf(map, 31), "a.c:5");
  EXPECT_EQ(LineOf(map, 104), "a.c:5");  // before the first mapping of its section
  EXPECT_EQ(LineOf(map, 105), "b.c:7");
  EXPECT_EQ(LineOf(map, 108), ":0");
  EXPECT_EQ(LineOf(map, 250), "b.c:8");
  EXPECT_EQ(LineOf(map, 4000000000), "d.c:2");
  EXPECT_EQ(LineOf(map, 106, 105), "b.c:7");
  EXPECT_EQ(LineOf(map, 106, 106), ":0");
}

TEST(SourceMapSections, ASectionEndsWhereTheNextBegins) {
  const SourceMap map = SourceMapOf(
      IndexOf({SectionAt(0, "a.c", {{0, 0, 0}, {50, 0, 1}}), SectionAt(40, "b.c", {{20, 0, 0}})}));
  EXPECT_EQ(LineOf(map, 55), "a.c:1");
  EXPECT_EQ(LineOf(map, 60), "b.c:1");
}

TEST(SourceMapSections, EachHasItsOwnSourcesAndRoot) {
  const std::string rooted = R"({"version":3,"sourceRoot":"lib","sources":[null,"x.c"],)"
                             R"("names":["n"],"mappings":"ACAA"})";
  const SourceMap map = SourceMapOf(
      IndexOf({SectionAt(R"({"line":0,"column":0})", rooted), SectionAt(8, "x.c", {{0, 0, 0}}),
               // Of another generated line, which a binary does not have.
               SectionAt(R"({"line":1,"column":0})", rooted)}));
  EXPECT_EQ(LineOf(map, 7), "lib/x.c:1");
  EXPECT_EQ(LineOf(map, 9), "x.c:1");
}

TEST(SourceMapSections, LongSectionsHaveMarksOfTheirOwn) {
  std::vector<TestMapping> mappings;
  for (int64_t i = 0; i < 5000; ++i) mappings.push_back({3 * i, 0, i});
  const SourceMap map =
      SourceMapOf(IndexOf({SectionAt(100, "a.c", mappings), SectionAt(20000, "b.c", mappings)}));
  for (uint32_t i = 0; i < 5000; i += 7) {
    ASSERT_EQ(LineOf(map, 100 + 3 * i), "a.c:" + std::to_string(i + 1));
    ASSERT_EQ(LineOf(map, 20000 + 3 * i + 2), "b.c:" + std::to_string(i + 1));
  }
}

TEST(SourceMapSections, WrongOnesMakeTheWholeMapUnknown) {
  const std::string good = SectionAt(0, "a.c", {{0, 0, 0}});
  ASSERT_EQ(LineOf(SourceMapOf(IndexOf({good})), 5), "a.c:1");
  const std::string wrong[] = {
      SectionAt(R"({"line":0,"column":9})", IndexOf({good})),            // nested
      R"({"offset":{"line":0,"column":9},"url":"b.map"})",               // its map is elsewhere
      SectionAt(R"({"line":0,"column":-9})", R"({"mappings":"AAAA"})"),  // before all
      SectionAt(R"({"line":0,"column":9.5})", R"({"mappings":"AAAA"})"),
      SectionAt(R"({"line":0,"column":9})", R"({"mappings":"!"})"),
      SectionAt(R"([0,9])", R"({"mappings":"AAAA"})"),
      "7",
  };
  for (const std::string& section : wrong) {
    EXPECT_EQ(LineOf(SourceMapOf(IndexOf({good, section})), 5), ":0") << section;
  }
  EXPECT_EQ(LineOf(SourceMapOf(IndexOf({SectionAt(9, "b.c", {{0, 0, 0}}), good})), 20), ":0");
  EXPECT_EQ(LineOf(SourceMapOf(IndexOf({})), 5), ":0");
}

TEST(SourceMap, LongMappingsAreReadFromTheNearestMark) {
  std::vector<TestMapping> mappings;
  for (int64_t i = 0; i < 20000; ++i) mappings.push_back({3 * i + 7, i % 2 * 2, i});
  const std::string text = MappingsOf(mappings);
  ASSERT_GT(text.size(), 10 * SourceMap::kBytesBetweenMarks);
  const SourceMap map = SourceMapOf(MapOf(text));
  for (int64_t i = 0; i < 20000; i += 7) {
    const std::string want = (i % 2 == 0 ? "src/a.ts:" : "b.ts:") + std::to_string(i + 1);
    ASSERT_EQ(LineOf(map, static_cast<uint32_t>(3 * i + 9)), want);
  }
}

TEST(SourceMap, AWrongMapKnowsNothing) {
  for (const char* mappings : {"!", "AA", "AAA", "AAAAAA", "gggggggB", "AAAA,D", "AAAA,ADAA",
                               "AAAA,AADA", "g", "AAAA AAAA"}) {
    EXPECT_EQ(LineOf(SourceMapOf(MapOf(mappings)), 0), ":0") << mappings;
  }
  for (const char* json :
       {"", "{", "[]", R"({"mappings":"AAAA","sources":["a"])", R"({"mappings":7,"sources":["a"]})",
        R"({"mappings":"AAAA"})", R"({"mappings":"AAAA","sources":"a"})"}) {
    EXPECT_EQ(LineOf(SourceMapOf(json), 0), ":0") << json;
  }
}

TEST(SourceMap, AUrlOfAFileIsNotRead) {
  EXPECT_EQ(LineOf(SourceMap(SectionOf("./a.wasm.map")), 0), ":0");
  EXPECT_EQ(LineOf(SourceMap(Bytes{}), 0), ":0");
  EXPECT_EQ(LineOf(SourceMap(Bytes{200, 1, 'd'}), 0), ":0");
}

TEST(SourceMap, DamagedMapsAreReadToAnEnd) {
  const std::string plain = MapOf(MappingsOf({{4, 0, 6}, {44, 2, 0}, {50}, {60, 0, 1}}));
  const std::string indexed =
      IndexOf({SectionAt(4, "a.c", {{0, 0, 6}}), SectionAt(44, "b.ts", {{0, 0, 0}, {6}})});
  std::mt19937 random(7);
  const std::string letters = R"(ABg9/,;"\{}[]:n!)";
  uint32_t different = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::string& whole = round % 2 == 0 ? plain : indexed;
    std::string damaged = whole.substr(0, whole.size() - (round % 8 < 2 ? random() % 40 : 0));
    for (uint32_t i = 0; i < 1 + random() % 4; ++i) {
      damaged[random() % damaged.size()] = letters[random() % letters.size()];
    }
    const SourceMap map = SourceMapOf(damaged);
    different += LineOf(map, 44) != "b.ts:1" ? 1 : 0;
    LineOf(map, 0xffffffff);
  }
  EXPECT_GT(different, 600u);
}

TEST(DataUrl, BothFormsAreRead) {
  EXPECT_EQ(DataOfUrl("data:application/json;base64,eyJhIjoxfQ=="), "{\"a\":1}");
  EXPECT_EQ(DataOfUrl("data:application/json;charset=utf-8;base64,eyJhIjoxfQ"), "{\"a\":1}");
  EXPECT_EQ(DataOfUrl("data:,%7B%22a%22:1}"), "{\"a\":1}");
  for (const char* wrong : {"", "data:", "http://a/b,c", "data:;base64,e",
                            "data:;base64,e!==", "data:,%7", "data:,%zz"}) {
    EXPECT_EQ(DataOfUrl(wrong), std::nullopt) << wrong;
  }
}

std::string LineIn(const Bytes& wasm, uint32_t offset) {
  DebugInfo info(*Module::Decode(wasm));
  const SourceLine line = info.LineAt(offset);
  return line.file + ":" + std::to_string(line.line);
}

TEST(DebugInfo, LinesAreThoseOfTheLastSourceMapUnlessThereIsDwarf) {
  Bytes wasm = MustAssemble("(module (func (unreachable)) (func (nop) (unreachable)))");
  const std::shared_ptr<const Module> module = *Module::Decode(wasm);
  const uint32_t first = module->bodies[0].instructions[0].offset;
  const uint32_t second = module->bodies[1].instructions[1].offset;
  const std::string map = MapOf(MappingsOf({{first, 0, 8}}));
  wasm = WithCustom(wasm, "sourceMappingURL", SectionOf("./a.wasm.map"));
  EXPECT_EQ(LineIn(wasm, first), ":0");
  wasm = WithCustom(wasm, "sourceMappingURL", SectionOf("data:," + map));
  EXPECT_EQ(LineIn(wasm, first), "src/a.ts:9");
  EXPECT_EQ(LineIn(wasm, second), ":0");  // no mapping in its function
  EXPECT_EQ(LineIn(wasm, 3), ":0");
  const uint32_t address = first - FindDebugSections(wasm).code_at;
  wasm = WithCustom(wasm, ".debug_line",
                    LineSection(4, "src", "calc.c", {{address, 3}, {address + 1, 3}}));
  EXPECT_EQ(LineIn(wasm, first), "src/calc.c:3");
}

}  // namespace
}  // namespace wb::test
