#pragma once

// Who a call is from, and whose things it may touch.

#include <string>

#include "compiler/base/status.h"
#include "daemon/config/role.h"

namespace wb {

struct Caller {
  std::string name;    // "user:anna", "token:0123456789abcdef", "certificate:spiffe://..."
  std::string tenant;  // what its jobs belong to; "": those that name no tenant
  Role role = Role::kNone;

  // An admin's jobs belong to the tenant that they name.
  bool NamesTenants() const { return role >= Role::kAdmin; }
  // Also what all jobs together did.
  bool MaySeeAllJobs() const { return role >= Role::kOperator; }
  bool MaySeeJobsOf(const std::string& other) const { return MaySeeAllJobs() || other == tenant; }
  // What is in jobs, modules and inputs, and ending their lives.
  bool MayUseThingsOf(const std::string& other) const {
    return role >= Role::kAdmin || other == tenant;
  }
};

// PERMISSION_DENIED: the method needs a higher role (access.def). A method that is not in the table
// stops the process: nobody may call what has no rule.
Status CheckAccess(const Caller& caller, const std::string& method_path);
// The role that a method needs, by its path ("/wasmburst.v1.Jobs/GetJob"); kNone: no rule.
Role RoleNeeded(const std::string& method_path);

}  // namespace wb
