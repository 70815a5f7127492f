#pragma once

// What the daemon remembers, opened: in memory, in a folder, or in a database that it has alone or
// shares.

#include <functional>
#include <memory>
#include <string>

#include "daemon/cluster/cluster_job_store.h"
#include "daemon/config/config.h"
#include "daemon/database/disk_alarm.h"
#include "daemon/database/folder_lock.h"
#include "daemon/database/registry.h"
#include "daemon/metrics/metric_registry.h"
#include "daemon/services/services.h"
#include "daemon/start_retry.h"
#include "daemon/store/durable/durable_job_store.h"

namespace wb {

struct OpenedStore {
  std::unique_ptr<FolderLock> lock;  // null: nothing outlives the daemon
  std::shared_ptr<JobStore> jobs;
  // The same, if it outlives a daemon that is alone; else null.
  std::shared_ptr<DurableJobStore> durable;
  // The same, if several daemons share it, and where it lies; else null.
  std::shared_ptr<ClusterJobStore> cluster;
  std::shared_ptr<SharedStore> shared;
  std::shared_ptr<Registry> registry;  // null as `lock`
};

struct StorePlace {
  std::string folder;  // empty: nothing outlives the daemon
  std::function<DiskRoom(const std::string& folder)> room_at;
};

// Fills in what the context has of it. CONFIG_INVALID, IO_ERROR, MACHINE_FAULT; CANCELLED as
// StartRetry's.
Result<OpenedStore> OpenStore(const Config& config, const StorePlace& place,
                              const std::shared_ptr<MetricRegistry>& metrics,
                              const StartRetry& retry, ServiceContext* context);

}  // namespace wb
