#include "daemon/services/join_cluster.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "daemon/process/log.h"
#include "daemon/services/device_jobs.h"
#include "daemon/services/prepare_job.h"
#include "daemon/services/restore.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

// What other daemons change besides jobs.
void LookAtOthers(const ServiceContext& context) {
  Status looked = context.owners->Load();
  if (looked.ok()) looked = context.tokens->Load();
  if (looked.ok()) looked = RefreshModules(context);
  if (!looked.ok()) Log(LogLevel::kWarning, "others_not_heard", {{"error", looked.message()}});
}

bool HasDeviceFor(Placement placement, const ServiceContext& context) {
  v1::ListDevicesResponse all;
  DevicesToProto(*context.scheduler, {}, {}, &all);
  if (context.hosts) AddDevicesOfOthers(context.hosts(), &all);
  return std::any_of(all.devices().begin(), all.devices().end(), [placement](const auto& device) {
    constexpr Engine kAll[] = {Engine::kCpu, Engine::kInterpreter, Engine::kCuda, Engine::kMetal};
    return std::any_of(std::begin(kAll), std::end(kAll), [&](Engine engine) {
      return device.engine() == EngineName(engine) && Takes(placement, engine);
    });
  });
}

// What no host would ever claim, and what the tenant has too many of, is refused at once.
Status Admit(const ServiceContext& context, const Tenants& tenants, const JobRequest& request) {
  const std::string& tenant = request.tenant;
  const JobFilter active = {kActiveStates, tenant};
  const uint64_t jobs = context.intake->store().List(active, "", SIZE_MAX).jobs.size();
  WB_TRY(CheckTenant(tenant, tenants.Of(tenant), jobs, 0));
  if (HasDeviceFor(request.placement, context)) return {};
  return Status(Reason::kNoDeviceFits,
                "No daemon that shares the store has a device for the placement [" +
                    std::string(PlacementName(request.placement)) + "].",
                {{"field", "job.placement"}});
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
    v1::ListDevicesResponse devices;
    DevicesToProto(*held->scheduler, {}, {}, &devices);
    return devices.SerializeAsString();
  };
  parts.tick = [held] { LookAtOthers(*held); };
  parts.lease = join.lease;
  parts.max_memory_bytes = join.max_memory_bytes;
  WB_ASSIGN(std::unique_ptr<ClusterMember> member, ClusterMember::Start(std::move(parts)));
  join.jobs->SetAdmit([held, tenants = join.tenants](const JobRequest& request) {
    return Admit(*held, tenants, request);
  });
  context->parts_of = [of = member.get()](const std::string& job) { return of->NumbersOf(job); };
  context->hosts = [of = member.get()] { return of->Hosts(); };
  return member;
}

}  // namespace wb
