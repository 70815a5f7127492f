#include "compiler/debug/source_map.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "compiler/debug/byte_cursor.h"
#include "compiler/debug/data_url.h"

namespace wb {

SourceMap::SourceMap(ByteView section) {
  ByteCursor cursor(section);
  const std::string_view url = AsText(cursor.Take(cursor.Unsigned()));
  if (!cursor.ok()) return;
  const std::optional<std::string> json = DataOfUrl(url);
  if (json) parts_ = ReadSourceMap(*json);
  for (size_t part = 0; part < parts_.size(); ++part) {
    if (AddMarks(part)) continue;
    marks_.clear();
    return;
  }
}

uint64_t SourceMap::EndOf(size_t part) const {
  constexpr uint64_t kEnd = uint64_t{std::numeric_limits<uint32_t>::max()} + 1;
  return part + 1 < parts_.size() ? parts_[part + 1].start : kEnd;
}

bool SourceMap::AddMarks(size_t part) {
  MappingCursor cursor(parts_[part].mappings);
  size_t next_mark = 0;
  Mapping mapping;
  for (MappingCursor before = cursor; cursor.Next(&mapping); before = cursor) {
    const uint64_t offset = uint64_t{parts_[part].start} + mapping.offset;
    if (before.at() < next_mark || offset >= EndOf(part)) continue;
    marks_.push_back({offset, part, before});
    next_mark = before.at() + kBytesBetweenMarks;
  }
  return cursor.ok();
}

SourceLine SourceMap::At(uint32_t from, uint32_t offset) const {
  auto mark = std::upper_bound(marks_.begin(), marks_.end(), offset,
                               [](uint32_t wanted, const Mark& m) { return wanted < m.offset; });
  if (mark == marks_.begin()) return {};
  --mark;
  const SourceMapPart& part = parts_[mark->part];
  const uint64_t last = std::min<uint64_t>(offset, EndOf(mark->part) - 1);
  MappingCursor cursor = mark->cursor;
  Mapping found, next;
  while (cursor.Next(&next) && part.start + uint64_t{next.offset} <= last) found = next;
  const bool is_known = found.has_source && part.start + uint64_t{found.offset} >= from &&
                        found.source < part.sources.size();
  if (!is_known || part.sources[found.source].empty()) return {};
  return {part.root + part.sources[found.source], found.line + 1};
}

}  // namespace wb
