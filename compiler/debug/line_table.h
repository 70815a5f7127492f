#pragma once

// LineTable: which line of which source an address comes from, by .debug_line. It keeps where each
// sequence of rows lies, and runs the sequence again for each look-up. Pure.

#include <cstdint>
#include <vector>

#include "compiler/debug/custom_sections.h"
#include "compiler/debug/source_line.h"

namespace wb {

class LineTable {
 public:
  static constexpr size_t kMostSequences = size_t{1} << 19;  // later ones are left out
  // All look-ups of a table together read at most so many bytes. Then nothing is known any more.
  static constexpr uint64_t kMostBytesRead = uint64_t{1} << 28;

  // Takes time linear in the section. The sections must outlive the table.
  explicit LineTable(const DebugSections& sections);

  // `address`: a byte of the contents of the Code section. Not const: it is charged.
  SourceLine At(uint32_t address);

 private:
  struct Sequence {
    uint32_t begin = 0;  // addresses
    uint32_t end = 0;
    uint32_t unit_at = 0;  // byte offsets in the section
    uint32_t program_at = 0;
    uint32_t program_end = 0;
  };

  void AddUnit(size_t unit_at);
  bool Charge(size_t bytes);

  DebugSections sections_;
  std::vector<Sequence> sequences_;  // by `begin`
  uint64_t left_ = kMostBytesRead;
};

}  // namespace wb
