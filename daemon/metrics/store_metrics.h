#pragma once

// StoreMetrics: what the store of jobs tells of them. Threads: every method from any thread, also
// with the store's lock held.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/abi/lane.h"
#include "daemon/metrics/metric_registry.h"
#include "daemon/metrics/tenant_labels.h"

namespace wb {

class StoreMetrics {
 public:
  // All series whose labels are known exist from here on: those of every tenant that the
  // configuration names, with the names of the states in which a job may end.
  StoreMetrics(std::shared_ptr<MetricRegistry> metrics, const std::vector<std::string>& tenants,
               const std::vector<std::string>& end_states);

  void Created(const std::string& tenant);
  void Started(std::chrono::nanoseconds after);  // a job ran for the first time
  void Ended(const std::string& tenant, std::string_view state, std::chrono::nanoseconds after);
  void InstancesEnded(End end, uint64_t count);
  void Committed(std::chrono::nanoseconds took, bool ok);

 private:
  const std::shared_ptr<MetricRegistry> metrics_;
  TenantLabels tenants_;
};

}  // namespace wb
