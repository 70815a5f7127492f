#include "scheduler/job/tenants.h"

#include "scheduler/base/quoted.h"

namespace wb {

const TenantSettings& Tenants::Of(const std::string& tenant) const {
  const auto found = named.find(tenant);
  return found == named.end() ? others : found->second;
}

Status CheckTenant(const std::string& tenant, const TenantSettings& settings, uint64_t jobs,
                   uint64_t instance_bytes) {
  const uint64_t memory = settings.max_device_memory_bytes;
  if (memory != 0 && instance_bytes >= memory) {
    return Status(Reason::kNoDeviceFits,
                  "An instance may grow to " + Quoted(instance_bytes) +
                      " bytes of memory; the tenant " + Quoted(tenant) + " may have " +
                      Quoted(memory) + " on a device.",
                  {{"field", "limits.max_memory_bytes"}, {"maximum", std::to_string(memory)}});
  }
  if (settings.max_jobs == 0 || jobs < settings.max_jobs) return {};
  return Status(Reason::kQueueFull,
                "The tenant " + Quoted(tenant) + " has " + Quoted(jobs) +
                    " jobs that have not ended; it may have " +
                    Quoted(uint64_t{settings.max_jobs}) + ".",
                {{"tenant", tenant},
                 {"jobs", std::to_string(jobs)},
                 {"maximum", std::to_string(settings.max_jobs)}});
}

}  // namespace wb
