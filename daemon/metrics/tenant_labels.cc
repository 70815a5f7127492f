#include "daemon/metrics/tenant_labels.h"

namespace wb {

TenantLabels::TenantLabels(const std::vector<std::string>& configured) {
  for (const std::string& tenant : configured) (void)Of(tenant);
}

std::string TenantLabels::Of(const std::string& tenant) {
  if (tenant.empty()) return kNoTenant;
  if (tenant.size() > kLongestTenantLabel) return kOtherTenants;
  const MutexLock lock(mutex_);
  if (known_.contains(tenant)) return tenant;
  if (known_.size() == kMostTenantLabels) return kOtherTenants;
  known_.insert(tenant);
  return tenant;
}

std::vector<std::string> TenantLabels::known() const {
  const MutexLock lock(mutex_);
  return {known_.begin(), known_.end()};
}

}  // namespace wb
