#pragma once

// SourceMap: which line of which source a byte of a module comes from, by a source map of version 3
// that stands in the module as a data: URL. It keeps the map's mappings as they are, with a mark
// every few KiB, so that a look-up reads a few KiB. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/debug/mapping_cursor.h"
#include "compiler/debug/source_line.h"
#include "compiler/debug/source_map_text.h"

namespace wb {

class SourceMap {
 public:
  static constexpr size_t kBytesBetweenMarks = 4096;  // of mappings

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
    uint64_t offset = 0;  // of the first mapping behind it, in the module
    size_t part = 0;
    MappingCursor cursor;
  };

  // Where the next part starts: mappings from there on do not count.
  uint64_t EndOf(size_t part) const;
  // False where a mapping is wrong.
  bool AddMarks(size_t part);

  std::vector<SourceMapPart> parts_;
  std::vector<Mark> marks_;  // by offset
};

}  // namespace wb
