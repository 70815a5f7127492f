#pragma once

// What other parts know, as samples. Pure, but for the disk's free space.

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

// The disk of a folder.
struct DiskRoom {
  bool known = false;
  bool read_only = false;
  uint64_t free_bytes = 0;  // for this user
};
DiskRoom RoomAt(const std::string& folder);
// Why nothing can be written there; empty: it can, or nothing is known.
std::string DiskProblem(const DiskRoom& room);

}  // namespace wb
