#include "bench/compiling/cubin_sizes.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace wb::bench {
namespace {

constexpr std::string_view kKernelCode = ".text.wb_entry";
constexpr size_t kSectionBytes = 64;
constexpr uint32_t kNotes = 0x70000000;
// A note: its form, its subject and its size are four bytes; then a symbol and a number.
constexpr uint8_t kSizedNote = 4;
constexpr uint8_t kFrameNote = 0x11;
constexpr uint8_t kStackNote = 0x12;
constexpr uint8_t kRegistersNote = 0x2f;

struct Section {
  std::string_view name;
  uint32_t type = 0;
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

std::string_view Part(std::string_view file, uint64_t at, uint64_t size) {
  return at <= file.size() ? file.substr(at, size) : "";
}

std::vector<Section> SectionsOf(std::string_view file) {
  const auto headers = At<uint64_t>(file, 0x28);
  std::vector<Section> sections(At<uint16_t>(file, 0x3c));
  const auto header = [&](size_t i) {
    return Part(file, headers + i * kSectionBytes, kSectionBytes);
  };
  const std::string_view of_names = header(At<uint16_t>(file, 0x3e));
  const std::string_view names = Part(file, At<uint64_t>(of_names, 24), At<uint64_t>(of_names, 32));
  for (size_t i = 0; i < sections.size(); ++i) {
    const std::string_view name =
        names.substr(std::min<size_t>(At<uint32_t>(header(i), 0), names.size()));
    sections[i] = {name.substr(0, name.find('\0')), At<uint32_t>(header(i), 4),
                   Part(file, At<uint64_t>(header(i), 24), At<uint64_t>(header(i), 32))};
  }
  return sections;
}

// Each function has its own, in one section or in those of all. A linked kernel has the most of all
// that it calls.
void ReadNotes(std::string_view notes, CubinSizes* sizes) {
  for (size_t at = 0; at + 4 <= notes.size();) {
    const auto form = At<uint8_t>(notes, at), subject = At<uint8_t>(notes, at + 1);
    const auto number = At<uint32_t>(notes, at + 8);
    if (form == kSizedNote && (subject == kFrameNote || subject == kStackNote)) {
      sizes->stack_bytes = std::max(sizes->stack_bytes, number);
    }
    if (form == kSizedNote && subject == kRegistersNote) {
      sizes->registers = std::max(sizes->registers, number);
    }
    at += 4 + (form == kSizedNote ? At<uint16_t>(notes, at + 2) : 0);
  }
}

}  // namespace

std::optional<CubinSizes> SizesOf(ByteView cubin) {
  const std::string_view file(reinterpret_cast<const char*>(cubin.data()), cubin.size());
  CubinSizes sizes;
  bool has_kernel = false;
  for (const Section& section : SectionsOf(file)) {
    if (section.name.starts_with(".text.")) sizes.code_bytes += section.bytes.size();
    if (section.type == kNotes) ReadNotes(section.bytes, &sizes);
    has_kernel = has_kernel || section.name == kKernelCode;
  }
  return has_kernel ? std::optional(sizes) : std::nullopt;
}

}  // namespace wb::bench
