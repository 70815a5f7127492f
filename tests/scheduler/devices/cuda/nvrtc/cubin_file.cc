#include "tests/scheduler/devices/cuda/nvrtc/cubin_file.h"

#include <string_view>

namespace wb::test {
namespace {

constexpr uint32_t kSymbols = 2, kNames = 3, kNoBytes = 8, kInfo = 0x70000000, kCalls = 0x70000001;
constexpr size_t kHeaderBytes = 64;

template <class Number>
void Append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

struct Section {
  uint32_t type = 0;
  std::string bytes;
};

void AddSymbol(const CubinFunction& function, std::string& symbols, std::string& names) {
  Append<uint32_t>(symbols, names.size());
  Append<uint8_t>(symbols, (function.is_local ? 0 : 1) << 4 | 2);
  Append<uint8_t>(symbols, function.is_kernel ? 0x10 : 0);
  symbols.append(18, '\0');
  names += function.name + '\0';
}

void AddNote(std::string& notes, uint8_t subject, uint32_t symbol, std::optional<uint32_t> bytes) {
  if (!bytes) return;
  Append<uint8_t>(notes, 4);
  Append<uint8_t>(notes, subject);
  Append<uint16_t>(notes, 8);
  Append<uint32_t>(notes, symbol);
  Append<uint32_t>(notes, *bytes);
}

std::string Joined(const std::vector<Section>& sections) {
  std::string headers, bytes;
  for (const Section& section : sections) {
    Append<uint32_t>(headers, 0);
    Append<uint32_t>(headers, section.type);
    headers.append(16, '\0');
    Append<uint64_t>(headers, kHeaderBytes + bytes.size());
    Append<uint64_t>(headers, section.type == kNoBytes ? uint64_t{1} << 40 : section.bytes.size());
    Append<uint32_t>(headers, section.type == kSymbols ? 2 : 0);  // the names' section
    headers.append(20, '\0');
    bytes += section.bytes;
  }
  std::string file = "\177ELF\2\1";
  file.resize(0x28);
  Append<uint64_t>(file, kHeaderBytes + bytes.size());
  file.resize(0x3c);
  Append<uint16_t>(file, static_cast<uint16_t>(sections.size()));
  file.resize(kHeaderBytes);
  return file + bytes + headers;
}

}  // namespace

std::string CubinFile(const std::vector<CubinFunction>& functions,
                      const std::vector<std::array<uint32_t, 2>>& rows) {
  std::string symbols(24, '\0'), names(1, '\0'), notes, calls;
  Append<uint32_t>(notes, 0x00001801);  // of another form
  uint32_t symbol = 1;
  for (const CubinFunction& function : functions) {
    AddSymbol(function, symbols, names);
    AddNote(notes, 0x11, symbol, function.frame_bytes);
    AddNote(notes, 0x12, symbol, function.stack_bytes);
    AddNote(notes, 0x2f, symbol++, 255);  // registers
  }
  Append<uint64_t>(calls, ~uint64_t{0} << 32);
  for (const auto& row : rows) {
    Append(calls, row[0]);
    Append(calls, row[1]);
  }
  return Joined(
      {{}, {kSymbols, symbols}, {kNames, names}, {kNoBytes, ""}, {kInfo, notes}, {kCalls, calls}});
}

}  // namespace wb::test
