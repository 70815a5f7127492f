#pragma once

// The daemon's configuration: a struct whose fields setting_table.h names, default_config.h fills
// and config_file.h checks.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/config/address.h"
#include "daemon/config/role.h"
#include "scheduler/devices/compiler_limits.h"
#include "scheduler/devices/cuda/cuda_libraries.h"
#include "scheduler/devices/metal/metal_options.h"
#include "scheduler/trace/inspection_limits.h"
#include "scheduler/trace/profile_limits.h"
#include "scheduler/trace/replay_limits.h"

namespace wb {

struct ListenSetting {
  ListenAddress address;
  uint32_t mode = 0660;  // of a Unix socket
  // What callers get that nothing else names.
  Role role = Role::kNone;
  std::string tenant;
};
// As ParseListenAddress, and behind a tcp:// address "?role=ROLE" or "?role=ROLE&tenant=TENANT".
Result<ListenSetting> ParseListenSetting(std::string_view text);

struct Config {
  // Highest or default limits of a job, per instance.
  struct Limits {
    uint64_t max_fuel = 0;
    uint64_t max_memory_bytes = 0;
    uint64_t max_stack = 0;
    uint64_t max_output_bytes = 0;
  };

  // What a tenant gets; 0: no limit.
  struct Tenant {
    uint64_t weight = 1;
    uint64_t max_running_jobs = 0;
    uint64_t max_jobs = 0;
    uint64_t max_memory_bytes = 0;
    bool operator==(const Tenant&) const = default;
  };

  // Whom the daemon takes a user, a group or a certificate for: [[identity]]. One of the three.
  struct Identity {
    std::string user;
    std::string group;
    std::string certificate;
    std::optional<std::string> tenant;  // none: that of the user's or certificate's name
    Role role = Role::kNone;
    bool operator==(const Identity&) const = default;
  };

  // Where settings come from, by name: "limits.fuel", "listen", "identity", "tenant".
  struct Origins {
    std::string file;                     // that was read; empty: none
    std::set<std::string> file_settings;  // that it had
    std::set<std::string> flags;
    std::set<std::string> reloaded;  // taken over since the start
    // Those of the file as it was read last that need a restart, as text.
    std::map<std::string, std::string> after_restart;
  };

  Origins origins;
  std::vector<ListenSetting> listen;      // at least one
  std::vector<Identity> identities;       // of [[identity]] tables, in their order
  std::map<std::string, Tenant> tenants;  // of [[tenant]] tables, by name

  // Times are in nanoseconds; see settings.def for meanings.
  int64_t drain_timeout = 0;
  bool checkpoint_on_stop = false;
  int64_t checkpoint_timeout = 0;
  uint64_t worker_threads = 0;
  std::string state_directory;
  bool durable = true;
  uint64_t min_free_bytes = 0;
  std::string postgres;  // empty: the state folder
  int64_t postgres_timeout = 0;
  std::string blob_folder;  // empty: the database has all blobs
  std::string blob_s3;      // likewise
  std::string s3_region;
  std::string s3_keys_file;
  std::string s3_ca;
  uint64_t blob_from_bytes = 0;
  std::string cluster_host;  // empty: alone
  int64_t cluster_lease = 0;
  uint64_t max_connections = 0;
  uint64_t max_peer_connections = 0;
  std::string local_role;
  std::string tls_certificate;
  std::string tls_key;
  std::string tls_client_ca;
  uint64_t max_message_bytes = 0;
  uint64_t max_concurrent_streams = 0;
  uint64_t grpc_memory_bytes = 0;
  int64_t keepalive_time = 0;
  int64_t keepalive_timeout = 0;
  int64_t keepalive_min_interval = 0;
  bool reflection = false;
  uint64_t max_module_bytes = 0;
  uint64_t max_modules_bytes = 0;
  uint64_t max_uploads = 0;
  uint64_t max_input_bytes = 0;
  uint64_t max_inputs_bytes = 0;
  uint64_t max_inputs = 0;
  uint64_t max_input_uploads = 0;
  uint64_t max_jobs = 0;
  uint64_t max_request_bytes = 0;
  uint64_t max_instances = 0;
  int64_t job_ttl = 0;
  Limits default_limits;
  Limits highest_limits;
  Tenant other_tenants;
  uint64_t max_results_bytes = 0;
  uint64_t max_tenant_results_bytes = 0;
  uint64_t max_job_results_bytes = 0;
  uint64_t max_results_memory_bytes = 0;
  uint64_t result_message_bytes = 0;
  int64_t heartbeat = 0;
  int64_t burst_max_duration = 0;
  int64_t burst_cooldown = 0;
  std::string burst_policy;
  uint64_t temp_high = 0;
  uint64_t temp_low = 0;
  uint64_t power_percent = 0;
  uint64_t quiet_percent = 0;
  int64_t longest_rest = 0;
  uint64_t burst_instances = 0;
  bool burst_share = true;
  uint64_t burst_slice_fuel = 0;
  bool cpu_enabled = false;
  std::string cuda_enabled;
  std::string gpu_kind;
  std::string gpu_devices;
  uint64_t cuda_instances = 0;
  std::string cuda_policy;
  int64_t cuda_max_duration = 0;
  int64_t cuda_cooldown = 0;
  uint64_t cuda_temp_high = 0;
  uint64_t cuda_temp_low = 0;
  std::string cuda_residency;
  std::string cuda_memory;
  CudaLibraries cuda_libraries;
  MetalOptions metal;
  uint64_t cpu_threads = 0;
  std::string engine_host_path;
  uint64_t device_memory_bytes = 0;
  uint64_t input_percent = 0;
  std::string compiler_path;
  int64_t engine_max_silence = 0;
  std::string isolation;
  std::string cuda_isolation;
  CompilerLimits compile;
  uint64_t compile_max_text_bytes = 0;
  int64_t compile_retry_after = 0;
  uint64_t compile_parallel = 0;
  bool start_on_interpreter = true;
  bool compile_quick_only = false;
  std::string checker_path;
  ReplayLimits backtraces;
  InspectionLimits inspection;
  uint64_t max_states_bytes = 0;
  uint64_t max_job_states_bytes = 0;
  uint64_t max_dumps_bytes = 0;
  uint64_t max_job_dumps_bytes = 0;
  int64_t session_idle = 0;
  int64_t max_session_idle = 0;
  uint64_t max_sessions = 0;
  uint64_t max_session_instances = 0;
  uint64_t max_session_bytes = 0;
  uint64_t max_sessions_bytes = 0;
  ProfileLimits profiles;
  std::string cache_directory;
  uint64_t cache_max_bytes = 0;
  std::string log_level;
  std::string log_format;
  uint64_t log_lines_per_second = 0;
  std::string metrics_address;
  bool page_enabled = false;
  std::string page_role;
  std::string page_hosts;
  std::string traces_endpoint;  // empty: none
  std::string traces_headers_file;
  uint64_t traces_sample_percent = 0;
};

// CONFIG_INVALID: a tls:// listener without a certificate and its key.
Status CheckTls(const Config& config);

}  // namespace wb
