#pragma once

// Devices and the jobs on them, as operators see them. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/database/shared_store.h"
#include "daemon/identity/caller.h"
#include "daemon/store/job_store.h"
#include "scheduler/scheduler.h"

namespace wasmburst::v1 {
class ChangeDeviceResponse;
class Device;
class ListDevicesResponse;
}  // namespace wasmburst::v1

namespace wb {

// Whether it takes instances, since when and until when; a drain is over once no instance is left.
void GateToProto(const DeviceStatus& status, int64_t unix_now_ns, wasmburst::v1::Device* proto);

// The launches in flight; the caller reads the names of jobs that it may see.
void LaunchesToProto(const DeviceStatus& status, const Caller& caller,
                     wasmburst::v1::Device* proto);

void DeviceToProto(const DeviceStatus& status, const Caller& caller, wasmburst::v1::Device* proto);

// Those of this daemon, with those of `jobs` that are there or wait for them.
void DevicesToProto(const Scheduler& scheduler, const std::vector<JobInfo>& jobs,
                    const Caller& caller, wasmburst::v1::ListDevicesResponse* proto);
// Those that other daemons of the store have said of themselves (HostRow::facts).
void AddDevicesOfOthers(const std::vector<HostRow>& hosts,
                        wasmburst::v1::ListDevicesResponse* proto);

// Those of `jobs` that are on the device or wait for it.
void AddJobsOf(const std::string& device, const std::vector<JobInfo>& jobs,
               wasmburst::v1::Device* proto);

// Those of `jobs` that may run on closed devices only.
void AddStranded(const std::vector<DeviceStatus>& devices, const std::vector<JobInfo>& jobs,
                 wasmburst::v1::ChangeDeviceResponse* proto);

}  // namespace wb
