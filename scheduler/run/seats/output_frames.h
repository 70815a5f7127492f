#pragma once

// The output of a module that writes to streams. It lies in frames, each from a whole word on: a
// word of the stream's number (8 bits) and of how many bytes follow (24 bits), then those bytes.
// Pure.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb {

struct StreamBytes {
  uint32_t stream = 0;  // 1 .. 254
  Bytes bytes;
};

// What the module wrote to each stream, in the order of their numbers; what read steps appended is
// left out. The bytes may come from an engine that is not trusted: nullopt where they are no
// frames.
std::optional<std::vector<StreamBytes>> SplitOutput(ByteView output);

}  // namespace wb
