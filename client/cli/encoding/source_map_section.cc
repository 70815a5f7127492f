#include "client/cli/encoding/source_map_section.h"

#include <cstdint>
#include <nlohmann/json.hpp>

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

}  // namespace

Result<std::string> WithSourceMap(std::string wasm, const std::string& map,
                                  const std::string& file) {
  if (!wasm.starts_with(std::string_view("\0asm", 4))) {
    return Status(Reason::kInvalidArgument,
                  "--source-map [" + file + "] goes with a binary, which this module is not.");
  }
  const Json json = Json::parse(map, nullptr, false);
  const bool is_map = json.is_object() && json.value("version", Json()) == 3 &&
                      json.value("mappings", Json()).is_string() &&
                      json.value("sources", Json()).is_array();
  if (!is_map) {
    return Status(Reason::kInvalidArgument,
                  "--source-map [" + file +
                      "] is no source map of version 3 with [sources] and [mappings]. Give the "
                      ".map file that the compiler wrote beside the module.");
  }
  Json kept = {{"version", 3}, {"sources", json["sources"]}, {"mappings", json["mappings"]}};
  if (json.contains("sourceRoot")) kept["sourceRoot"] = json["sourceRoot"];
  const std::string text = kept.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string url = "data:application/json;base64," + Base64(text);
  wasm += std::string(1, '\0') + WithLength(WithLength("sourceMappingURL") + WithLength(url));
  return wasm;
}

}  // namespace wb::cli
