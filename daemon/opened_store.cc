#include "daemon/opened_store.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/database/blob_folder.h"
#include "daemon/database/split_blobs.h"
#include "daemon/database/state_parts.h"
#include "daemon/metrics/store_metrics.h"
#include "daemon/postgres/postgres_state.h"
#include "daemon/process/clock.h"
#include "daemon/services/restore.h"
#include "daemon/store/durable/backup_archive.h"
#include "daemon/store/memory_job_store.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

JobStoreLimits StoreLimits(const Config& config, bool durable) {
  JobStoreLimits limits;
  limits.max_jobs = config.max_jobs;
  // Without a disk the bounds are those of memory.
  const uint64_t most = durable ? UINT64_MAX : config.max_results_memory_bytes;
  limits.results.max_bytes = std::min(most, config.max_results_bytes);
  limits.results.max_tenant_bytes = std::min(most, config.max_tenant_results_bytes);
  limits.results.max_job_bytes = std::min(most, config.max_job_results_bytes);
  limits.max_request_bytes = config.max_request_bytes;
  limits.max_input_bytes = config.max_inputs_bytes;
  limits.ttl_ns = config.job_ttl;
  return limits;
}

// A database that is named and would not be used.
Status CheckNothingIsKept(const Config& config) {
  if (config.postgres.empty()) return {};
  return Status(Reason::kConfigInvalid,
                "The setting [store.postgres] needs [server.durable] = true and a folder of the "
                "daemon's own for the rest; name one in [server.state_directory].",
                {{"setting", "store.postgres"}});
}

// Series of jobs exist for the tenants that are known.
std::shared_ptr<StoreMetrics> MetricsForStore(const Config& config,
                                              const std::shared_ptr<MetricRegistry>& metrics) {
  std::vector<std::string> tenants;
  for (const auto& [name, tenant] : config.tenants) tenants.push_back(name);
  std::vector<std::string> ends;
  for (const JobState state : {JobState::kSucceeded, JobState::kFailed, JobState::kCancelled}) {
    ends.push_back(JobStateName(state));
  }
  return std::make_shared<StoreMetrics>(metrics, tenants, ends);
}

std::shared_ptr<DiskAlarm> AlarmFor(const Config& config, const StorePlace& place,
                                    const std::string& database) {
  DiskAlarm::Parts of_disk;
  of_disk.folder = place.folder;
  of_disk.database = database;
  of_disk.min_free_bytes = config.min_free_bytes;
  of_disk.room = [room_at = place.room_at, folder = place.folder] { return room_at(folder); };
  of_disk.now = UnixNow;
  auto alarm = std::make_shared<DiskAlarm>(std::move(of_disk));
  (void)alarm->Look();
  return alarm;
}

Result<StateParts> OpenState(const Config& config, const std::string& folder) {
  if (config.postgres.empty()) return OpenStateFolder(folder);
  const nanoseconds timeout(config.postgres_timeout);
  const PostgresSettings settings = {config.postgres, timeout, config.cluster_host};
  return config.cluster_host.empty() ? OpenPostgresState(settings)
                                     : OpenSharedPostgresState(settings);
}

// Long blobs lie in a folder, where one is named.
Status SplitBlobsOf(const Config& config, StateParts* state) {
  if (config.blob_folder.empty() || config.postgres.empty()) return {};
  const auto split = [&config](const char* part,
                               std::shared_ptr<const BlobStore>* blobs) -> Status {
    WB_ASSIGN(const BlobFolder folder, BlobFolder::OpenShared(config.blob_folder + part));
    *blobs = std::make_shared<const SplitBlobs>(*blobs, std::make_shared<const BlobFolder>(folder),
                                                config.blob_from_bytes);
    return {};
  };
  WB_TRY(split("/modules", &state->modules));
  return split("/inputs", &state->inputs);
}

// Of the folder and what is in it, or in the database.
Status OpenLasting(const Config& config, const StorePlace& place,
                   std::shared_ptr<StoreMetrics> metrics, ServiceContext* context,
                   OpenedStore* opened) {
  WB_ASSIGN(opened->lock, FolderLock::Take(place.folder));
  BackupArchive::RemoveLeft(place.folder);
  context->state_directory = place.folder;
  WB_ASSIGN(StateParts state, OpenState(config, place.folder));
  WB_TRY(SplitBlobsOf(config, &state));
  opened->registry = state.registry;
  opened->shared = state.shared;
  context->module_blobs = state.modules;
  context->input_blobs = state.inputs;
  context->disk_alarm = AlarmFor(config, place, state.database);
  const JobStoreLimits limits = StoreLimits(config, true);
  if (opened->shared != nullptr) {
    WB_TRY(opened->shared->Enter());
    opened->cluster = std::make_shared<ClusterJobStore>(opened->shared, limits, ReadShownRequest,
                                                        UnixNow, std::move(metrics));
    opened->jobs = opened->cluster;
    return {};
  }
  opened->durable = std::make_shared<DurableJobStore>(
      std::move(state.jobs), DurableJobStore::Limits{limits, config.max_results_memory_bytes},
      UnixNow, std::move(metrics), context->disk_alarm);
  opened->jobs = opened->durable;
  return {};
}

}  // namespace

Result<OpenedStore> OpenStore(const Config& config, const StorePlace& place,
                              const std::shared_ptr<MetricRegistry>& metrics,
                              ServiceContext* context) {
  OpenedStore opened;
  context->is_durable = config.durable && !place.folder.empty();
  if (context->is_durable) {
    WB_TRY(OpenLasting(config, place, MetricsForStore(config, metrics), context, &opened));
  } else {
    WB_TRY(CheckNothingIsKept(config));
    opened.jobs = std::make_shared<MemoryJobStore>(StoreLimits(config, false), UnixNow,
                                                   MetricsForStore(config, metrics));
  }
  context->is_shared = opened.cluster != nullptr;
  return opened;
}

}  // namespace wb
