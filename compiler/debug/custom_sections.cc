#include "compiler/debug/custom_sections.h"

#include <array>
#include <string_view>

#include "compiler/debug/byte_cursor.h"

namespace wb {
namespace {

constexpr uint64_t kBeforeSections = 8;  // magic and version
constexpr uint8_t kCustom = 0;
constexpr uint8_t kCodeId = 10;

struct KnownSection {
  std::string_view name;
  ByteView DebugSections::*section;
};
constexpr std::array<KnownSection, 6> kKnownSections = {
    {{"name", &DebugSections::names},
     {".debug_line", &DebugSections::line},
     {".debug_line_str", &DebugSections::line_str},
     {".debug_str", &DebugSections::str},
     {"sourceMappingURL", &DebugSections::source_map},
     {"wasmburst.hints", &DebugSections::hints}}};

void KeepCustom(ByteView contents, DebugSections* sections) {
  ByteCursor cursor(contents);
  const std::string_view name = AsText(cursor.Take(cursor.Unsigned()));
  if (!cursor.ok()) return;
  for (const KnownSection& known : kKnownSections) {
    ByteView& section = sections->*known.section;
    const bool last_counts = known.section == &DebugSections::source_map;
    if (known.name != name || (!section.empty() && !last_counts)) continue;
    section = contents.subspan(cursor.at());
  }
}

}  // namespace

DebugSections FindDebugSections(ByteView wasm) {
  DebugSections sections;
  ByteCursor cursor(wasm, kBeforeSections);
  while (cursor.ok() && !cursor.done()) {
    const uint8_t id = cursor.U8();
    const uint64_t size = cursor.Unsigned();
    const size_t at = cursor.at();
    const ByteView contents = cursor.Take(size);
    if (!cursor.ok()) break;
    if (id == kCustom) KeepCustom(contents, &sections);
    if (id == kCodeId) {
      sections.code_at = static_cast<uint32_t>(at);
      sections.code_bytes = static_cast<uint32_t>(contents.size());
    }
  }
  return sections;
}

}  // namespace wb
