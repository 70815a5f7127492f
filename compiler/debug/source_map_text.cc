#include "compiler/debug/source_map_text.h"

#include <functional>
#include <tuple>
#include <utility>

#include "compiler/debug/json_cursor.h"

namespace wb {
namespace {

struct SectionOffset {
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator<(const SectionOffset& other) const {
    return std::tie(line, column) < std::tie(other.line, other.column);
  }
};

// The first thing that is wrong breaks the cursor, and so all that is behind it.
class SourceMapReader {
 public:
  explicit SourceMapReader(const std::string& json) : json_(json) {}

  std::vector<SourceMapPart> Read() {
    SourceMapPart whole;
    bool is_indexed = false;
    ReadObject([&](const std::string& member) {
      if (member != "sections") return ReadMapMember(member, &whole);
      is_indexed = true;
      ReadList([this] { ReadSection(); });
    });
    if (!is_indexed) AddPart(std::move(whole));
    return json_.ok() ? std::move(parts_) : std::vector<SourceMapPart>();
  }

 private:
  void ReadObject(const std::function<void(const std::string&)>& read_member) {
    if (!json_.Take('{')) return json_.Break();
    if (json_.Take('}')) return;
    do {
      const std::string member = json_.Text();
      if (!json_.Take(':')) return json_.Break();
      read_member(member);
    } while (json_.Take(','));
    if (!json_.Take('}')) json_.Break();
  }

  void ReadList(const std::function<void()>& read_item) {
    if (!json_.Take('[')) return json_.Break();
    if (json_.Take(']')) return;
    do {
      read_item();
    } while (json_.Take(','));
    if (!json_.Take(']')) json_.Break();
  }

  // null: a source without a name.
  void ReadSource(std::vector<std::string>* sources) {
    std::string source;
    if (json_.NextIs('"')) {
      source = json_.Text();
    } else {
      json_.Skip();
    }
    if (source_count_ == kMostMapSources) return;
    ++source_count_;
    sources->push_back(std::move(source));
  }

  void ReadMapMember(const std::string& member, SourceMapPart* part) {
    if (member == "mappings") {
      part->mappings = json_.Text();
    } else if (member == "sources") {
      ReadList([&] { ReadSource(&part->sources); });
    } else if (member == "sourceRoot" && json_.NextIs('"')) {
      part->root = json_.Text();
    } else {
      json_.Skip();
    }
  }

  void ReadSection() {
    SectionOffset offset;
    SourceMapPart part;
    bool has_map = false;
    ReadObject([&](const std::string& member) {
      if (member == "offset") return ReadOffset(&offset);
      if (member != "map") return json_.Skip();
      has_map = true;
      ReadObject([&](const std::string& inner) {
        if (inner == "sections") return json_.Break();
        ReadMapMember(inner, &part);
      });
    });
    if (!has_map || offset < before_) json_.Break();
    before_ = offset;
    part.start = offset.column;
    if (offset.line == 0) AddPart(std::move(part));
  }

  void ReadOffset(SectionOffset* offset) {
    ReadObject([&](const std::string& member) {
      if (member == "line") {
        offset->line = json_.Unsigned();
      } else if (member == "column") {
        offset->column = json_.Unsigned();
      } else {
        json_.Skip();
      }
    });
  }

  void AddPart(SourceMapPart part) {
    if (!part.root.empty() && !part.root.ends_with('/')) part.root += '/';
    parts_.push_back(std::move(part));
  }

  JsonCursor json_;
  std::vector<SourceMapPart> parts_;
  SectionOffset before_;  // of the last section
  size_t source_count_ = 0;
};

}  // namespace

std::vector<SourceMapPart> ReadSourceMap(const std::string& json) {
  return SourceMapReader(json).Read();
}

}  // namespace wb
