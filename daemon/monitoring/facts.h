#pragma once

// What other parts know, as samples. Pure.

#include <string>
#include <vector>

#include "daemon/metrics/metric_registry.h"
#include "daemon/store/job_store.h"
#include "scheduler/pipelines/cache_figures.h"
#include "scheduler/run/device_status.h"

namespace wb {

void AddDeviceSamples(const std::vector<DeviceStatus>& devices, Samples* samples);
void AddCacheSamples(const CacheStats& stats, Samples* samples);
void AddJobSamples(const JobStoreFigures& figures, Samples* samples);

}  // namespace wb
