#include "client/cli/encoding/source_map_section.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "client/cli/encoding/base64.h"

namespace wb::cli {
namespace {

using Json = nlohmann::json;

std::string Unsigned(uint64_t number) {  // LEB128
  std::string bytes;
  do {
    const uint64_t rest = number >> 7;
    bytes += static_cast<char>((number & 0x7f) | (rest > 0 ? 0x80 : 0));
    number = rest;
  } while (number > 0);
  return bytes;
}

std::string WithLength(const std::string& bytes) { return Unsigned(bytes.size()) + bytes; }

Status WrongMap(const std::string& file, const std::string& words) {
  return Status(Reason::kInvalidArgument, "--source-map [" + file + "] " + words);
}

// What lines need of a map. null: it is none.
Json KeptOf(const Json& map) {
  const bool is_map = map.is_object() && map.value("version", Json()) == 3 &&
                      map.value("mappings", Json()).is_string() &&
                      map.value("sources", Json()).is_array();
  if (!is_map) return {};
  Json kept = {{"version", 3}, {"sources", map["sources"]}, {"mappings", map["mappings"]}};
  if (map.contains("sourceRoot")) kept["sourceRoot"] = map["sourceRoot"];
  return kept;
}

using SectionOffset = std::pair<uint64_t, uint64_t>;  // line, column

Result<SectionOffset> OffsetOf(const Json& section, const std::string& file,
                               const std::string& name) {
  const Json offset = section.is_object() ? section.value("offset", Json()) : Json();
  const Json line = offset.is_object() ? offset.value("line", Json()) : Json();
  const Json column = offset.is_object() ? offset.value("column", Json()) : Json();
  if (line.is_number_unsigned() && column.is_number_unsigned()) {
    return SectionOffset(line.get<uint64_t>(), column.get<uint64_t>());
  }
  return WrongMap(
      file, "has a " + name + " without an [offset] of [line] and [column], numbers from 0 on.");
}

// The map of a section.
Result<Json> SectionMap(const Json& section, const std::string& file, const std::string& name) {
  const Json map = section.value("map", Json());
  if (map.is_object() && map.contains("sections")) {
    return WrongMap(file, "has a " + name +
                              " that is an indexed map itself, which the specification of source "
                              "maps (ECMA-426) forbids. Write its sections into the outer map.");
  }
  Json kept = KeptOf(map);
  if (!kept.is_null()) return kept;
  return WrongMap(file, "has a " + name +
                            " whose [map] is no source map of version 3 with [sources] and "
                            "[mappings]; maps of other files ([url]) are not fetched.");
}

Result<Json> KeptOfIndexed(const Json& index, const std::string& file) {
  if (!index["sections"].is_array()) return WrongMap(file, "has [sections] that are no list.");
  Json sections = Json::array();
  SectionOffset before;
  for (const Json& section : index["sections"]) {
    const std::string name = "section [" + std::to_string(sections.size()) + "]";
    WB_ASSIGN(const SectionOffset offset, OffsetOf(section, file, name));
    if (offset < before) {
      return WrongMap(file, "has a " + name +
                                " that begins before the one in front of it. Sort the sections by "
                                "their offsets.");
    }
    before = offset;
    WB_ASSIGN(Json map, SectionMap(section, file, name));
    sections.push_back({{"offset", section["offset"]}, {"map", std::move(map)}});
  }
  return Json{{"version", 3}, {"sections", std::move(sections)}};
}

Result<Json> KeptOfFile(const Json& json, const std::string& file) {
  if (json.is_object() && json.value("version", Json()) == 3 && json.contains("sections")) {
    return KeptOfIndexed(json, file);
  }
  Json kept = KeptOf(json);
  if (!kept.is_null()) return kept;
  return WrongMap(file,
                  "is no source map of version 3 with [sources] and [mappings]. Give the "
                  ".map file that the compiler wrote beside the module.");
}

}  // namespace

Result<std::string> WithSourceMap(std::string wasm, const std::string& map,
                                  const std::string& file) {
  if (!wasm.starts_with(std::string_view("\0asm", 4))) {
    return WrongMap(file, "goes with a binary, which this module is not.");
  }
  WB_ASSIGN(const Json kept, KeptOfFile(Json::parse(map, nullptr, false), file));
  const std::string text = kept.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string url = "data:application/json;base64," + Base64(text);
  wasm += std::string(1, '\0') + WithLength(WithLength("sourceMappingURL") + WithLength(url));
  return wasm;
}

}  // namespace wb::cli
