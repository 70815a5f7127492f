#pragma once

// A place in a source file.

#include <cstdint>
#include <string>

namespace wb {

// Empty and 0: not known.
struct SourceLine {
  std::string file;
  uint32_t line = 0;
};

}  // namespace wb
