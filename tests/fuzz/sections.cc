#include "tests/fuzz/sections.h"

#include <algorithm>

namespace wb::fuzz {
namespace {

constexpr size_t kPreamble = 8;
constexpr uint8_t kImport = 2, kMemory = 5, kExport = 7, kStart = 8, kCode = 10;
// Sections in the order in which they must stand: data count (12) before code.
constexpr uint8_t kOrder[] = {1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11};

struct Section {
  uint8_t id = 0;
  Bytes content;
};

uint32_t ReadNumber(ByteView bytes, size_t* at) {
  uint32_t value = 0;
  for (int shift = 0;; shift += 7) {
    const uint8_t byte = bytes[(*at)++];
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

void WriteNumber(uint32_t value, Bytes* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<uint8_t>(value | 0x80));
  out->push_back(static_cast<uint8_t>(value));
}

void Append(ByteView bytes, Bytes* out) { out->insert(out->end(), bytes.begin(), bytes.end()); }

void WriteName(const std::string& name, Bytes* out) {
  WriteNumber(static_cast<uint32_t>(name.size()), out);
  Append(AsBytes(name), out);
}

std::vector<Section> SectionsOf(ByteView wasm) {
  std::vector<Section> sections;
  for (size_t at = kPreamble; at < wasm.size();) {
    Section section;
    section.id = wasm[at++];
    const uint32_t size = ReadNumber(wasm, &at);
    section.content.assign(wasm.begin() + at, wasm.begin() + at + size);
    at += size;
    sections.push_back(std::move(section));
  }
  return sections;
}

Bytes Joined(ByteView wasm, const std::vector<Section>& sections) {
  Bytes out(wasm.begin(), wasm.begin() + kPreamble);
  for (const Section& section : sections) {
    out.push_back(section.id);
    WriteNumber(static_cast<uint32_t>(section.content.size()), &out);
    Append(section.content, &out);
  }
  return out;
}

Section* Find(std::vector<Section>& sections, uint8_t id) {
  const auto it = std::find_if(sections.begin(), sections.end(),
                               [&](const Section& section) { return section.id == id; });
  return it == sections.end() ? nullptr : &*it;
}

size_t Rank(uint8_t id) {
  return static_cast<size_t>(std::find(std::begin(kOrder), std::end(kOrder), id) -
                             std::begin(kOrder));
}

// The section of this kind, made with no entries where there is none.
Section& Wanted(std::vector<Section>& sections, uint8_t id) {
  if (Section* found = Find(sections, id)) return *found;
  const auto place = std::find_if(sections.begin(), sections.end(), [&](const Section& section) {
    return section.id != 0 && Rank(section.id) > Rank(id);
  });
  return *sections.insert(place, {id, {0}});
}

uint32_t EntriesOf(ByteView wasm, uint8_t id) {
  std::vector<Section> sections = SectionsOf(wasm);
  const Section* section = Find(sections, id);
  size_t at = 0;
  return section == nullptr ? 0 : ReadNumber(section->content, &at);
}

// One export behind `at`.
void SkipExport(ByteView bytes, size_t* at) {
  const uint32_t name = ReadNumber(bytes, at);
  *at += name + 1;
  ReadNumber(bytes, at);
}

void SkipBody(ByteView bytes, size_t* at) {
  const uint32_t size = ReadNumber(bytes, at);
  *at += size;
}

// Where entry `index` of a section begins and ends.
template <typename Skip>
std::pair<size_t, size_t> EntryAt(ByteView content, uint32_t index, Skip skip) {
  size_t at = 0;
  ReadNumber(content, &at);
  for (uint32_t i = 0; i < index; ++i) skip(content, &at);
  const size_t begin = at;
  skip(content, &at);
  return {begin, at};
}

// The count becomes `count`, what lies in [begin, end) becomes `entry`.
Bytes Replaced(const Bytes& content, uint32_t count, size_t begin, size_t end, ByteView entry) {
  size_t behind_count = 0;
  ReadNumber(content, &behind_count);
  Bytes out;
  WriteNumber(count, &out);
  Append(ByteView(content).subspan(behind_count, begin - behind_count), &out);
  Append(entry, &out);
  Append(ByteView(content).subspan(end), &out);
  return out;
}

}  // namespace

Bytes WithMemoryImported(ByteView wasm, const std::string& module, const std::string& name) {
  std::vector<Section> sections = SectionsOf(wasm);
  const Section* memory = Find(sections, kMemory);
  if (memory == nullptr || memory->content.at(0) != 1) return {wasm.begin(), wasm.end()};
  sections.erase(sections.begin() + (memory - sections.data()));
  Bytes entry;
  WriteName(module, &entry);
  WriteName(name, &entry);
  for (const uint8_t byte : {2, 0, 0}) entry.push_back(byte);  // memory, no maximum, 0 pages
  Section& imports = Wanted(sections, kImport);
  size_t at = 0;
  const uint32_t count = ReadNumber(imports.content, &at);
  const size_t end = imports.content.size();
  imports.content = Replaced(imports.content, count + 1, end, end, entry);
  return Joined(wasm, sections);
}

uint32_t BodyCount(ByteView wasm) { return EntriesOf(wasm, kCode); }
uint32_t ExportCount(ByteView wasm) { return EntriesOf(wasm, kExport); }

Bytes WithEmptyBody(ByteView wasm, uint32_t index) {
  static constexpr uint8_t kUnreachable[] = {3, 0, 0, 0x0b};
  std::vector<Section> sections = SectionsOf(wasm);
  Section& code = Wanted(sections, kCode);
  const auto [begin, end] = EntryAt(code.content, index, SkipBody);
  code.content = Replaced(code.content, BodyCount(wasm), begin, end, kUnreachable);
  return Joined(wasm, sections);
}

Bytes WithoutExport(ByteView wasm, uint32_t index) {
  std::vector<Section> sections = SectionsOf(wasm);
  Section& exports = Wanted(sections, kExport);
  const auto [begin, end] = EntryAt(exports.content, index, SkipExport);
  exports.content = Replaced(exports.content, ExportCount(wasm) - 1, begin, end, {});
  return Joined(wasm, sections);
}

Bytes WithoutStart(ByteView wasm) {
  std::vector<Section> sections = SectionsOf(wasm);
  std::erase_if(sections, [](const Section& section) { return section.id == kStart; });
  return Joined(wasm, sections);
}

}  // namespace wb::fuzz
