#pragma once

#include <string>

namespace wb {

// Where and how a kernel text leaves the subset.
struct Violation {
  unsigned line = 0;  // from 1; 0: of the text as a whole
  unsigned column = 0;
  std::string message;
  bool operator==(const Violation&) const = default;
};

}  // namespace wb
