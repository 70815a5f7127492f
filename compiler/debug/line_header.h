#pragma once

// The head of one unit of .debug_line (DWARF 2 to 5). Pure.

#include <cstdint>
#include <optional>

#include "compiler/base/bytes.h"

namespace wb {

struct LineHeader {
  uint16_t version = 0;
  bool is_64_bit = false;  // offsets in it have 8 bytes
  uint8_t least_instruction = 1;
  int8_t line_base = 0;
  uint8_t line_range = 1;   // not 0
  uint8_t opcode_base = 1;  // not 0
  ByteView opcode_lengths;  // of the standard opcodes, from opcode 1 on
  // Byte offsets in the section.
  size_t files_at = 0;    // the tables of directories and files
  size_t program_at = 0;  // where they end
  size_t end = 0;         // one behind the unit
  // False: a version that is not read, or a head that lies. `end` is right all the same.
  bool is_readable = false;
};

// The unit that begins at the byte `at` of the section. Nothing: its length leads out of the
// section, so that no unit follows.
std::optional<LineHeader> ReadLineHeader(ByteView section, size_t at);

}  // namespace wb
