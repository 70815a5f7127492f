#include "daemon/services/join_cluster.h"

#include <utility>

#include "daemon/process/log.h"
#include "daemon/services/device_jobs.h"
#include "daemon/services/prepare_job.h"
#include "daemon/services/restore.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {
namespace {

// What other daemons change besides jobs.
void LookAtOthers(const ServiceContext& context) {
  Status looked = context.owners->Load();
  if (looked.ok()) looked = context.tokens->Load();
  if (looked.ok()) looked = RefreshModules(context);
  if (!looked.ok()) Log(LogLevel::kWarning, "others_not_heard", {{"error", looked.message()}});
}

}  // namespace

Result<std::unique_ptr<ClusterMember>> JoinCluster(const std::shared_ptr<ServiceContext>& context,
                                                   const ClusterJoin& join) {
  const ServiceContext* const held = context.get();
  ClusterMember::Parts parts;
  parts.store = join.shared;
  parts.jobs = join.jobs;
  parts.scheduler = context->scheduler;
  parts.prepare = [held](const std::string& whole) { return PrepareKept(*held, whole); };
  // Every caller of the others may see them: nothing of jobs.
  parts.facts = [held] {
    wasmburst::v1::ListDevicesResponse devices;
    DevicesToProto(*held->scheduler, {}, {}, &devices);
    return devices.SerializeAsString();
  };
  parts.tick = [held] { LookAtOthers(*held); };
  parts.lease = join.lease;
  parts.max_job_bytes = join.max_job_bytes;
  parts.max_memory_bytes = join.max_memory_bytes;
  WB_ASSIGN(std::unique_ptr<ClusterMember> member, ClusterMember::Start(std::move(parts)));
  context->hosts = [of = member.get()] { return of->Hosts(); };
  return member;
}

}  // namespace wb
