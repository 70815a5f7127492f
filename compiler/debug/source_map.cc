#include "compiler/debug/source_map.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/debug/byte_cursor.h"
#include "compiler/debug/data_url.h"

namespace wb {

SourceMap::SourceMap(ByteView section) {
  ByteCursor cursor(section);
  const std::string_view url = AsText(cursor.Take(cursor.Unsigned()));
  if (!cursor.ok()) return;
  const std::optional<std::string> json = DataOfUrl(url);
  if (json) ReadMap(*json);
  SetMarks();
}

void SourceMap::ReadSources(JsonCursor* json) {
  if (!json->Take('[')) return json->Break();
  if (json->Take(']')) return;
  do {
    std::string source;
    if (json->NextIs('"')) {
      source = json->Text();
    } else {
      json->Skip();  // null: a source without a name
    }
    if (sources_.size() < kMostSources) sources_.push_back(std::move(source));
  } while (json->Take(','));
  if (!json->Take(']')) json->Break();
}

void SourceMap::ReadMap(const std::string& text) {
  JsonCursor json(text);
  if (!json.Take('{')) return;
  do {
    const std::string member = json.Text();
    if (!json.Take(':')) json.Break();
    if (member == "mappings") {
      mappings_ = json.Text();
    } else if (member == "sources") {
      sources_.clear();
      ReadSources(&json);
    } else if (member == "sourceRoot" && json.NextIs('"')) {
      root_ = json.Text();
    } else {
      json.Skip();
    }
  } while (json.Take(','));
  if (!json.Take('}')) mappings_.clear();
  if (!root_.empty() && !root_.ends_with('/')) root_ += '/';
}

void SourceMap::SetMarks() {
  MappingCursor cursor(mappings_);
  size_t next_mark = 0;
  Mapping mapping;
  for (MappingCursor before = cursor; cursor.Next(&mapping); before = cursor) {
    if (before.at() < next_mark) continue;
    marks_.push_back({mapping.offset, before});
    next_mark = before.at() + kBytesBetweenMarks;
  }
  if (!cursor.ok()) marks_.clear();
}

SourceLine SourceMap::At(uint32_t from, uint32_t offset) const {
  auto mark = std::upper_bound(marks_.begin(), marks_.end(), offset,
                               [](uint32_t wanted, const Mark& m) { return wanted < m.offset; });
  if (mark == marks_.begin()) return {};
  MappingCursor cursor = (--mark)->cursor;
  Mapping found, next;
  while (cursor.Next(&next) && next.offset <= offset) found = next;
  const bool is_known = found.has_source && found.offset >= from && found.source < sources_.size();
  if (!is_known || sources_[found.source].empty()) return {};
  return {root_ + sources_[found.source], found.line + 1};
}

}  // namespace wb
