#pragma once

// Where a binary holds what debuggers read, and what it says of how it runs. Pure.

#include <cstdint>

#include "compiler/base/bytes.h"

namespace wb {

// Parts of the binary; empty where it has none. Of several sections of one name the first counts.
struct DebugSections {
  ByteView names;       // "name"
  ByteView line;        // ".debug_line"
  ByteView line_str;    // ".debug_line_str"
  ByteView str;         // ".debug_str"
  ByteView source_map;  // "sourceMappingURL": the last one, which may have been added to the module
  ByteView hints;       // "wasmburst.hints"
  // The contents of the Code section: byte 0 is what DWARF for WebAssembly calls address 0.
  uint32_t code_at = 0;  // byte offset in the module
  uint32_t code_bytes = 0;
};

// Of a binary that was decoded. Of any other bytes: what can be read of it.
DebugSections FindDebugSections(ByteView wasm);

}  // namespace wb
