#pragma once

// A job's limits, as flags.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace CLI {
class App;
}

namespace wb::cli {

// 0 or empty: the daemon's default, or none.
struct LimitOptions {
  uint64_t fuel = 0;
  uint64_t memory_bytes = 0;
  uint32_t stack = 0;
  uint32_t output_bytes = 0;
  std::string max_time;
  uint64_t total_fuel = 0;
  uint64_t results_bytes = 0;
  std::string total_time;
};

void AddLimitOptions(CLI::App* command, LimitOptions* options);
Status SetLimits(const LimitOptions& options, wasmburst::v1::Limits* limits);  // INVALID_ARGUMENT

}  // namespace wb::cli
