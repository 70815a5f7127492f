#pragma once

// LineProgram: the rows of one unit of .debug_line, one after the other. Every step takes at least
// one byte of the program, so that its length bounds the work. Pure.

#include <cstdint>

#include "compiler/debug/byte_cursor.h"
#include "compiler/debug/line_header.h"

namespace wb {

struct LineRow {
  uint64_t address = 0;  // in the contents of the Code section
  uint32_t file = 1;
  uint32_t line = 1;
  bool ends = false;  // the sequence; the address is one behind its last byte
};

class LineProgram {
 public:
  // From the byte `at` of the section on, where a sequence begins. `header` is readable.
  LineProgram(ByteView section, const LineHeader& header, size_t at);

  // False: there are no more rows.
  bool Next(LineRow* row);
  // How far it has read, as a byte offset in the section.
  size_t at() const { return cursor_.at(); }

 private:
  // True: the opcode made a row.
  bool RunSpecial(uint8_t opcode);
  bool RunStandard(uint8_t opcode);
  bool RunExtended();
  void Advance(uint64_t operations);

  LineHeader header_;
  ByteCursor cursor_;
  LineRow state_;
};

}  // namespace wb
