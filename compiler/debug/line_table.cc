#include "compiler/debug/line_table.h"

#include <algorithm>

#include "compiler/debug/line_files.h"
#include "compiler/debug/line_header.h"
#include "compiler/debug/line_program.h"

namespace wb {
namespace {

constexpr size_t kLongestFile = 4096;

}  // namespace

LineTable::LineTable(const DebugSections& sections) : sections_(sections) {
  size_t at = 0;
  while (at < sections_.line.size()) {
    const std::optional<LineHeader> header = ReadLineHeader(sections_.line, at);
    if (!header) break;
    if (header->is_readable) AddUnit(at);
    at = header->end;
  }
  std::sort(sequences_.begin(), sequences_.end(),
            [](const Sequence& a, const Sequence& b) { return a.begin < b.begin; });
}

void LineTable::AddUnit(size_t unit_at) {
  const LineHeader header = *ReadLineHeader(sections_.line, unit_at);
  LineProgram program(sections_.line, header, header.program_at);
  size_t begins_at = program.at();
  uint64_t first = 0;
  bool begun = false;
  LineRow row;
  while (program.Next(&row) && sequences_.size() < kMostSequences) {
    if (!begun) first = row.address;
    begun = !row.ends;
    if (!row.ends) continue;
    // No function begins at 0: so begin the rows of functions that the linker left out.
    if (first > 0 && first < row.address && row.address <= sections_.code_bytes) {
      sequences_.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(row.address),
                            static_cast<uint32_t>(unit_at), static_cast<uint32_t>(begins_at),
                            static_cast<uint32_t>(program.at())});
    }
    begins_at = program.at();
  }
}

bool LineTable::Charge(size_t bytes) {
  if (bytes > left_) return false;
  left_ -= bytes;
  return true;
}

SourceLine LineTable::At(uint32_t address) {
  auto found = std::upper_bound(
      sequences_.begin(), sequences_.end(), address,
      [](uint32_t wanted, const Sequence& sequence) { return wanted < sequence.begin; });
  if (found == sequences_.begin()) return {};
  --found;
  if (address >= found->end) return {};
  const LineHeader header = *ReadLineHeader(sections_.line, found->unit_at);
  const size_t tables = header.program_at - header.files_at;
  if (!Charge(found->program_end - found->program_at + tables)) return {};
  LineProgram program(sections_.line, header, found->program_at);
  LineRow before, row;
  bool has_before = false;
  while (program.Next(&row)) {
    if (has_before && before.address <= address && address < row.address) {
      if (before.line == 0) return {};  // made by the compiler
      std::string file = LineFile(sections_, header, before.file);
      if (file.empty() || file.size() > kLongestFile) return {};
      return {std::move(file), before.line};
    }
    if (row.ends) break;
    before = row;
    has_before = true;
  }
  return {};
}

}  // namespace wb
