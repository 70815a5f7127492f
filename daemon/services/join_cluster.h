#pragma once

// This daemon as one of several that share a store: what ClusterMember needs of the services.

#include <chrono>
#include <memory>

#include "daemon/cluster/cluster_member.h"
#include "daemon/services/services.h"

namespace wb {

struct ClusterJoin {
  std::shared_ptr<SharedStore> shared;
  std::shared_ptr<ClusterJobStore> jobs;
  std::chrono::nanoseconds lease{};
  uint64_t max_memory_bytes = 0;
  Tenants tenants;
};

// Errors as ClusterMember::Start's. The member, and the context's `hosts`,
// are for calls that end before it.
Result<std::unique_ptr<ClusterMember>> JoinCluster(const std::shared_ptr<ServiceContext>& context,
                                                   const ClusterJoin& join);

}  // namespace wb
