#include "daemon/opened_store.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/blobs/s3_blobs.h"
#include "daemon/config/s3_address.h"
#include "daemon/database/blob_folder.h"
#include "daemon/database/split_blobs.h"
#include "daemon/database/state_parts.h"
#include "daemon/metrics/label_text.h"
#include "daemon/metrics/metric.h"
#include "daemon/metrics/store_metrics.h"
#include "daemon/postgres/postgres_state.h"
#include "daemon/postgres/shared/shared_state.h"
#include "daemon/process/clock.h"
#include "daemon/services/restore.h"
#include "daemon/store/durable/backup_archive.h"
#include "daemon/store/memory/memory_job_store.h"

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

Result<std::shared_ptr<const S3Client>> OpenObjectStore(
    const Config& config, const std::shared_ptr<MetricRegistry>& metrics) {
  S3Client::Parts parts;
  WB_ASSIGN(parts.address, ParseS3Address(config.blob_s3));
  parts.region = config.s3_region;
  parts.ca_file = config.s3_ca;
  parts.keys = [file = config.s3_keys_file] { return ReadS3Keys(file); };
  for (size_t i = 0; i < kS3Operations; ++i) {
    const std::string name = S3OperationName(static_cast<S3Operation>(i));
    metrics->Expect(Metric::kObjectTimes, {name});
    metrics->Add(Metric::kObjectFailures, {name}, 0);
  }
  parts.told = [metrics](S3Operation operation, nanoseconds took, bool ok) {
    metrics->Observe(Metric::kObjectTimes, {S3OperationName(operation)}, SecondsOf(took));
    if (!ok) metrics->Add(Metric::kObjectFailures, {S3OperationName(operation)}, 1);
  };
  return S3Client::Open(std::move(parts));
}

// Long blobs lie in a folder, or in an object store, where one is named.
Status SplitBlobsOf(const Config& config, const std::shared_ptr<MetricRegistry>& metrics,
                    StateParts* state) {
  if (config.postgres.empty()) return {};
  std::shared_ptr<const S3Client> objects;
  if (!config.blob_s3.empty()) {
    WB_ASSIGN(objects, OpenObjectStore(config, metrics));
  }
  if (objects == nullptr && config.blob_folder.empty()) return {};
  const auto split = [&](const char* kind, std::shared_ptr<const BlobStore>* blobs) -> Status {
    std::shared_ptr<const BlobStore> longer;
    if (objects != nullptr) {
      longer = std::make_shared<const S3Blobs>(
          objects, kind, std::max(config.max_module_bytes, config.max_input_bytes));
    } else {
      WB_ASSIGN(const BlobFolder folder, BlobFolder::OpenShared(config.blob_folder + "/" + kind));
      longer = std::make_shared<const BlobFolder>(folder);
    }
    *blobs = std::make_shared<const SplitBlobs>(*blobs, longer, config.blob_from_bytes);
    return {};
  };
  WB_TRY(split("modules", &state->modules));
  return split("inputs", &state->inputs);
}

// Of the folder and what is in it, or in the database.
Status OpenLasting(const Config& config, const StorePlace& place,
                   const std::shared_ptr<MetricRegistry>& registry,
                   std::shared_ptr<StoreMetrics> metrics, const StartRetry& retry,
                   ServiceContext* context, OpenedStore* opened) {
  WB_ASSIGN(opened->lock, FolderLock::Take(place.folder));
  BackupArchive::RemoveLeft(place.folder);
  context->state_directory = place.folder;
  StateParts state;
  WB_TRY(retry.Run("its tables", [&]() -> Status {
    WB_ASSIGN(state, OpenState(config, place.folder));
    return {};
  }));
  WB_TRY(SplitBlobsOf(config, registry, &state));
  opened->registry = state.registry;
  opened->shared = state.shared;
  context->module_blobs = state.modules;
  context->input_blobs = state.inputs;
  context->disk_alarm = AlarmFor(config, place, state.database);
  const JobStoreLimits limits = StoreLimits(config, true);
  if (opened->shared != nullptr) {
    WB_TRY(retry.Run("a place among its hosts", [&] { return opened->shared->hosts().Enter(); }));
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
                              const StartRetry& retry, ServiceContext* context) {
  OpenedStore opened;
  context->is_durable = config.durable && !place.folder.empty();
  if (context->is_durable) {
    WB_TRY(OpenLasting(config, place, metrics, MetricsForStore(config, metrics), retry, context,
                       &opened));
  } else {
    WB_TRY(CheckNothingIsKept(config));
    opened.jobs = std::make_shared<MemoryJobStore>(StoreLimits(config, false), UnixNow,
                                                   MetricsForStore(config, metrics));
  }
  context->is_shared = opened.cluster != nullptr;
  return opened;
}

}  // namespace wb
