#pragma once

// Of this process: its time, memory, descriptors and log lines, as samples. What the system does
// not tell is left out; on macOS that is the memory and the open descriptors.

#include "daemon/metrics/metric_registry.h"

namespace wb {

void AddProcessSamples(Samples* samples);

}  // namespace wb
