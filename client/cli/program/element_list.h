#pragma once

// Elements of arrays as people write them, to their bytes in memory: "i32:[1,2,3]", or a list for
// each instance, "f64:[[1,2.5],[]]". Pure.

#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb::cli {

struct ElementList {
  std::string type;                // "i32"
  std::vector<std::string> bytes;  // one string for all instances, or one for each
  std::vector<std::string> shown;  // the lists as they were written, alike many
};

// Little end first. INVALID_ARGUMENT with the element that is wrong.
Result<ElementList> ParseElements(const std::string& text);

}  // namespace wb::cli
