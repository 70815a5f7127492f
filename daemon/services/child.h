#pragma once

// Runs a program of ours to its end: bytes in, bytes out, within limits, without a shell.

#include <chrono>
#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

struct RunLimits {
  std::chrono::nanoseconds max_time{std::chrono::seconds(30)};
  size_t max_output = 1 << 20;  // what comes beyond it is dropped
};

struct ChildOutcome {
  int exit_code = 0;   // 128 + signal if one ended it
  std::string output;  // standard output and error together
};

// IO_ERROR if it cannot be started; DEADLINE_EXCEEDED (the child is killed) after max_time.
Result<ChildOutcome> RunChild(const std::vector<std::string>& command, const std::string& input,
                              const RunLimits& limits);

}  // namespace wb
