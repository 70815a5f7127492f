#pragma once

// What tenants get of this machine, as its operator says. Pure.

#include <cstdint>
#include <map>
#include <string>

#include "compiler/base/status.h"

namespace wb {

// Of one tenant; 0: no limit.
struct TenantSettings {
  double weight = 1;                     // its share of a device's seconds, beside others'
  uint32_t max_running_jobs = 0;         // under way at a time; the others wait
  uint32_t max_jobs = 0;                 // accepted and not ended; one more is refused
  uint64_t max_device_memory_bytes = 0;  // for its instances, on each device
};

struct Tenants {
  TenantSettings others;                        // that have no settings of their own
  std::map<std::string, TenantSettings> named;  // "": jobs without a tenant
  const TenantSettings& Of(const std::string& tenant) const;
};

// Whether the tenant, with so many jobs now, may have another whose instances may grow to so many
// bytes. QUEUE_FULL with the numbers: later; NO_DEVICE_FITS: never.
Status CheckTenant(const std::string& tenant, const TenantSettings& settings, uint64_t jobs,
                   uint64_t instance_bytes);

}  // namespace wb
