#pragma once

// Whether a state folder is sound: the database, each record and block of results, each blob.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

struct StateFindings {
  uint64_t jobs = 0;
  uint64_t results = 0;
  uint64_t blobs = 0;
  std::vector<std::string> problems;  // a sentence each
};

// Nothing is changed. The folder must not be in use: CONFIG_INVALID, also where it holds no state
// or that of a newer daemon. `progress` hears what is being looked at.
Result<StateFindings> CheckState(const std::string& folder,
                                 const std::function<void(const std::string&)>& progress);

}  // namespace wb
