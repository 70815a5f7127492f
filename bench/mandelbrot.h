#pragma once

// The demo's module as every benchmark runs it: one row of the picture per instance.

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/job/job.h"

namespace wb::bench {

constexpr uint32_t kRows = 1024;
constexpr uint32_t kRowBytes = 8192;

// The decoded module. Stops the process when it is missing: it is built with the benchmarks.
std::shared_ptr<const Module> MandelbrotModule();

// The lane program: row(column 0), then its bytes as the output "row".
std::vector<Step> MandelbrotSteps();

// Rows first, first + step ... below kRows, an instance each.
JobSpec MandelbrotJob(uint32_t first, uint32_t step);

}  // namespace wb::bench
