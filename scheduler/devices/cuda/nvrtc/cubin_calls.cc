#include "scheduler/devices/cuda/nvrtc/cubin_calls.h"

#include <algorithm>
#include <cstring>

#include "compiler/base/check.h"

namespace wb {
namespace {

// An ELF file of 64 bits, little-endian, as on every host of a GPU.
constexpr std::string_view kElf64 = "\177ELF\2\1";
constexpr size_t kSectionsAt = 0x28;
constexpr size_t kSectionCount = 0x3c;
constexpr size_t kSectionBytes = 64;
constexpr size_t kSizeInSection = 32;
constexpr size_t kSymbolBytes = 24;
constexpr size_t kCallRowBytes = 8;

enum SectionType : uint32_t {
  kSymbols = 2,
  kNoBytes = 8,         // zeroes that are not in the file
  kInfo = 0x70000000,   // .nv.info, and one for each function
  kCalls = 0x70000001,  // .nv.callgraph
};

// A note in .nv.info: its form, its subject and its size are four bytes.
constexpr uint8_t kSizedNote = 4;
constexpr size_t kNoteHeadBytes = 4;
constexpr uint8_t kFrameNote = 0x11;  // then a symbol and its number of bytes
constexpr uint8_t kStackNote = 0x12;

constexpr uint8_t kKernelBit = 0x10;  // in a symbol's `other`
constexpr uint8_t kGlobal = 1;        // in a symbol's `info`, upper half: it or kWeak
constexpr uint8_t kWeak = 2;

struct Section {
  uint32_t type = 0;
  uint32_t link = 0;  // of symbols: the section of their names
  size_t header = 0;  // where its header is in the file
  size_t offset = 0;
  std::string_view bytes;
};

// 0 beyond the end.
template <class Number>
Number At(std::string_view bytes, size_t at) {
  Number number = 0;
  if (at <= bytes.size() && sizeof number <= bytes.size() - at) {
    std::memcpy(&number, bytes.data() + at, sizeof number);
  }
  return number;
}

// Empty if one is beyond the file's end.
std::vector<Section> SectionsOf(std::string_view file) {
  if (!file.starts_with(kElf64)) return {};
  std::vector<Section> sections(At<uint16_t>(file, kSectionCount));
  const auto first = At<uint64_t>(file, kSectionsAt);
  if (first > file.size() || sections.size() > (file.size() - first) / kSectionBytes) return {};
  for (size_t i = 0; i < sections.size(); ++i) {
    Section& section = sections[i];
    section.header = first + i * kSectionBytes;
    section.type = At<uint32_t>(file, section.header + 4);
    section.link = At<uint32_t>(file, section.header + 40);
    section.offset = At<uint64_t>(file, section.header + 24);
    if (section.type == kNoBytes) continue;
    const auto size = At<uint64_t>(file, section.header + kSizeInSection);
    if (section.offset > file.size() || size > file.size() - section.offset) return {};
    section.bytes = file.substr(section.offset, size);
  }
  return sections;
}

const Section* Find(const std::vector<Section>& sections, uint32_t type) {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& section) { return section.type == type; });
  return found == sections.end() ? nullptr : &*found;
}

std::vector<CubinCalls::Symbol> SymbolsOf(std::string_view bytes, std::string_view names) {
  std::vector<CubinCalls::Symbol> symbols(bytes.size() / kSymbolBytes);
  for (size_t i = 0; i < symbols.size(); ++i) {
    const std::string_view symbol = bytes.substr(i * kSymbolBytes, kSymbolBytes);
    const int binding = At<uint8_t>(symbol, 4) >> 4;
    symbols[i].is_kernel = (At<uint8_t>(symbol, 5) & kKernelBit) != 0;
    if (binding != kGlobal && binding != kWeak) continue;
    const std::string_view name =
        names.substr(std::min<size_t>(At<uint32_t>(symbol, 0), names.size()));
    symbols[i].name = name.substr(0, name.find('\0'));
  }
  return symbols;
}

void ReadNotes(std::string_view notes, std::vector<CubinCalls::Symbol>& symbols) {
  for (size_t at = 0; at + kNoteHeadBytes <= notes.size();) {
    const auto form = At<uint8_t>(notes, at);
    const auto subject = At<uint8_t>(notes, at + 1);
    const size_t size = form == kSizedNote ? At<uint16_t>(notes, at + 2) : 0;
    at += kNoteHeadBytes;
    const auto symbol = At<uint32_t>(notes, at);
    if (size >= 2 * sizeof symbol && at + size <= notes.size() && symbol < symbols.size()) {
      const auto bytes = At<uint32_t>(notes, at + sizeof symbol);
      if (subject == kFrameNote) symbols[symbol].frame_bytes = bytes;
      if (subject == kStackNote) symbols[symbol].stack_bytes = bytes;
    }
    at += size;
  }
}

}  // namespace

std::optional<CubinCalls> ReadCalls(std::string_view cubin) {
  const std::vector<Section> sections = SectionsOf(cubin);
  const Section* symbols = Find(sections, kSymbols);
  const Section* rows = Find(sections, kCalls);
  if (symbols == nullptr || rows == nullptr || symbols->link >= sections.size()) {
    return std::nullopt;
  }
  CubinCalls calls;
  calls.symbols = SymbolsOf(symbols->bytes, sections[symbols->link].bytes);
  for (const Section& section : sections) {
    if (section.type == kInfo) ReadNotes(section.bytes, calls.symbols);
  }
  for (size_t at = 0; at + kCallRowBytes <= rows->bytes.size(); at += kCallRowBytes) {
    calls.rows.push_back(
        {At<uint32_t>(rows->bytes, at), At<uint32_t>(rows->bytes, at + kCallRowBytes / 2)});
  }
  return calls;
}

void WriteRows(std::string& cubin, const std::vector<CubinCalls::Row>& rows) {
  const std::vector<Section> sections = SectionsOf(cubin);
  const Section* section = Find(sections, kCalls);
  WB_CHECK(section != nullptr && rows.size() <= section->bytes.size() / kCallRowBytes);
  size_t at = section->offset;
  for (const CubinCalls::Row& row : rows) {
    std::memcpy(cubin.data() + at, &row.caller, sizeof row.caller);
    std::memcpy(cubin.data() + at + kCallRowBytes / 2, &row.callee, sizeof row.callee);
    at += kCallRowBytes;
  }
  const uint64_t size = rows.size() * kCallRowBytes;
  std::memcpy(cubin.data() + section->header + kSizeInSection, &size, sizeof size);
}

}  // namespace wb
