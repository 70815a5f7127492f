#pragma once

// What Build gives and Load takes: the kernel text and, where Metal could write one, the archive of
// its pipeline. The text is in it because Metal finds an archive's pipeline by the function that it
// was made of, and offers no other way to keep a library. Pure.
// 0 magic, 8 bytes | 8 text length u64 | 16 archive length u64 | 24 text | archive
// Little-endian.

#include <string>
#include <string_view>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb {

struct MetalBinary {
  std::string_view text;
  ByteView archive;  // empty: there is none
};

Bytes EncodeMetalBinary(const MetalBinary& binary);

// Views into `bytes`. COMPILE_FAILED when they are none of ours.
Result<MetalBinary> DecodeMetalBinary(ByteView bytes);

}  // namespace wb
