#pragma once

// ModuleHints: what a module says of how it runs, in a custom section `wasmburst.hints`: text, one
// hint a line. Hints change no result (scheduler/docs/divergence.md). Pure.

#include <string>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb {

struct ModuleHints {
  bool divergent = false;            // instances differ in length
  bool uniform = false;              // they are alike; both count as neither
  std::vector<std::string> ignored;  // lines that are no hints, as they stand there

  static constexpr size_t kMost = 16;        // that are kept of these
  static constexpr size_t kMostBytes = 128;  // of such a line
};

// Of a binary that was decoded.
ModuleHints HintsOf(ByteView wasm);

}  // namespace wb
