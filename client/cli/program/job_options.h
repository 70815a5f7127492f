#pragma once

// Flags of every job, whatever it runs: limits, place, floats, labels.

#include <string>
#include <vector>

#include "client/cli/program/job_limits.h"

namespace wb::cli {

struct JobOptions {
  LimitOptions limits;
  std::string placement = "auto";
  std::string floats = "exact";
  std::vector<std::string> hints;     // divergent, uniform
  std::vector<std::string> labels;    // KEY=VALUE
  std::vector<std::string> bindings;  // MODULE.NAME=WAY
  uint32_t profile = 0;               // instances of a profile that is made at its end; 0: none
  std::string host_timeout;           // of a call that the caller answers; empty: the daemon's
  uint32_t dump_on_trap = 0;
};

void AddJobOptions(CLI::App* command, JobOptions* options);
Status SetJobOptions(const JobOptions& options, wasmburst::v1::Job* job);  // INVALID_ARGUMENT

}  // namespace wb::cli
