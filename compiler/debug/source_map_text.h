#pragma once

// A source map's JSON: a map, or an indexed map (ECMA-426), whose sections are maps that count from
// offsets of their own. Pure.

#include <cstdint>
#include <string>
#include <vector>

namespace wb {

// A map, as it was written.
struct SourceMapPart {
  uint32_t start = 0;  // byte of the module from which its offsets count
  std::string root;    // before each source; empty, or it ends with a slash
  std::vector<std::string> sources;
  std::string mappings;
};

constexpr size_t kMostMapSources = size_t{1} << 16;  // of all parts; later ones are left out

// In the order of their starts; of an indexed map the sections of the first generated line, since a
// binary is one line. Linear in the text. Empty: the text is no map, or a section lies before the
// one in front of it, has no map, or is itself an indexed map.
std::vector<SourceMapPart> ReadSourceMap(const std::string& json);

}  // namespace wb
