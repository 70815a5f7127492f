#pragma once

// TenantLabels: the value of the label `tenant`, which clients choose. The first few tenants have
// their own, all others share one, so that clients cannot make series without end.

#include <set>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"

namespace wb {

inline constexpr size_t kMostTenantLabels = 50;
inline constexpr size_t kLongestTenantLabel = 64;
inline constexpr const char* kOtherTenants = "other";
inline constexpr const char* kNoTenant = "default";  // of jobs that name none

// Threads: Of from any.
class TenantLabels {
 public:
  // Those that the configuration names come first.
  explicit TenantLabels(const std::vector<std::string>& configured);
  std::string Of(const std::string& tenant);
  std::vector<std::string> known() const;

 private:
  mutable Mutex mutex_;
  std::set<std::string> known_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
