#pragma once

// SourceMap: which line of which source a byte of a module comes from, by a source map of version 3
// that stands in the module as a data: URL. It keeps the map's mappings as they are, with a mark
// every few KiB, so that a look-up reads a few KiB. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/debug/json_cursor.h"
#include "compiler/debug/mapping_cursor.h"
#include "compiler/debug/source_line.h"

namespace wb {

class SourceMap {
 public:
  static constexpr size_t kMostSources = size_t{1} << 16;  // files of later ones are not known
  static constexpr size_t kBytesBetweenMarks = 4096;       // of mappings

  // `section`: the contents of sourceMappingURL. Takes time linear in it. A map that does not
  // parse, or whose mappings are wrong anywhere, knows nothing. So does a URL of anything else.
  explicit SourceMap(ByteView section);
  // The marks point into the mappings.
  SourceMap(const SourceMap&) = delete;
  SourceMap& operator=(const SourceMap&) = delete;

  // By the last mapping at or before `offset`, unless that is before `from`. Offsets are of the
  // module.
  SourceLine At(uint32_t from, uint32_t offset) const;

 private:
  struct Mark {
    uint32_t offset = 0;  // of the first mapping behind it
    MappingCursor cursor;
  };

  void ReadMap(const std::string& json);
  void ReadSources(JsonCursor* json);
  void SetMarks();

  std::string root_;
  std::vector<std::string> sources_;
  std::string mappings_;
  std::vector<Mark> marks_;
};

}  // namespace wb
