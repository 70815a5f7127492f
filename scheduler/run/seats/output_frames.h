#pragma once

// The output of a module with primitives, which lies in frames (FRAME_* in compiler/abi/lane.def).
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
