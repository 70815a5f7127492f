#pragma once

// The services of wasmburst.v1 as method tables.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/bursts/burst_log.h"
#include "daemon/config/live_config.h"
#include "daemon/database/blob_store.h"
#include "daemon/database/disk_alarm.h"
#include "daemon/database/shared_store.h"
#include "daemon/rpc/rpc.h"
#include "daemon/services/kernel_texts.h"
#include "daemon/store/cordons.h"
#include "daemon/store/input_store.h"
#include "daemon/store/job_intake.h"
#include "daemon/store/module_store.h"
#include "daemon/store/owners.h"
#include "daemon/store/tokens.h"
#include "scheduler/scheduler.h"
#include "scheduler/trace/profiler.h"

namespace wb {

class Checkpoints;
class DumpKeeper;
class Inspector;
class LinkedModules;

// What the services work on; shared, so that a call under way keeps it.
struct ServiceContext {
  std::shared_ptr<LiveConfig> config;
  std::shared_ptr<ModuleStore> modules;
  std::shared_ptr<LinkedModules> linked;
  std::shared_ptr<InputStore> inputs;
  // Jobs, modules and inputs outlive the daemon; else there are no blobs.
  bool is_durable = false;
  bool is_shared = false;  // several daemons have them together (daemon/cluster)
  std::shared_ptr<const BlobStore> module_blobs;
  std::shared_ptr<const BlobStore> input_blobs;
  std::string state_directory;  // where it is durable
  // A backup is being made: one at a time.
  std::shared_ptr<std::atomic<bool>> is_backing_up = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<DiskAlarm> disk_alarm;  // none: nothing outlives the daemon
  std::shared_ptr<Owners> owners;
  // An upload's last step and a deletion exclude one another: what was deleted for its last owner
  // may be uploaded by the next at that moment.
  std::shared_ptr<Mutex> module_changes = std::make_shared<Mutex>();
  std::shared_ptr<Mutex> input_changes = std::make_shared<Mutex>();
  std::shared_ptr<Tokens> tokens;
  std::shared_ptr<JobIntake> intake;
  Scheduler* scheduler = nullptr;  // outlives the server
  std::shared_ptr<Cordons> cordons;
  // Of a store that several daemons share; else none. The hosts, as heard last, and what the
  // scheduler calls the parts of a job that are here.
  std::function<std::vector<HostRow>()> hosts;
  std::function<std::vector<JobId>(const std::string& job)> parts_of;
  std::shared_ptr<BurstLog> bursts;
  Inspector* inspector = nullptr;  // outlives the server; null: no instance is run again
  std::shared_ptr<Checkpoints> checkpoints;
  std::shared_ptr<DumpKeeper> dumps;  // null: none are kept
  KernelTexts kernel_texts;
  std::shared_ptr<Profiler> profiler;  // null: there are no profiles
  ModuleCheck check_module;
  std::string compiler_version;
  std::vector<std::string> listening;  // addresses, set before the server starts
  int64_t start_unix_ns = 0;
};
using ServiceContextRef = std::shared_ptr<const ServiceContext>;

MethodTable ModulesService(ServiceContextRef context);
MethodTable InputsService(ServiceContextRef context);
MethodTable JobsService(ServiceContextRef context);
MethodTable AdminService(ServiceContextRef context);
MethodTable TenantsService(ServiceContextRef context);

// Decodes and stores; the caller's tenant owns it. WASM_*, LIMIT_TOO_HIGH, STORE_FULL, NOSPACE.
Result<StoredModule> StoreModule(const ServiceContext& context, const Caller& caller, ByteView wasm,
                                 bool validate_only);
// That nobody owns any more; on the disk it stays for jobs that have not ended. NOT_FOUND,
// IO_ERROR.
Status RemoveModule(const ServiceContext& context, const Digest& digest);
// One that is on the disk, put there at that time.
Status RestoreModule(const ServiceContext& context, ByteView wasm, int64_t create_unix_ns);

}  // namespace wb
