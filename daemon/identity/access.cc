#include <string_view>

#include "compiler/base/check.h"
#include "daemon/identity/caller.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

struct Access {
  std::string_view method;
  Role role;
};

constexpr Access kAccess[] = {
#define WB_ACCESS(method, role) {method, Role::k##role},
#include "daemon/identity/access.def"
#undef WB_ACCESS
};

}  // namespace

Role RoleNeeded(const std::string& method_path) {
  for (const Access& access : kAccess) {
    if (method_path.size() == access.method.size() + 1 && method_path.ends_with(access.method)) {
      return access.role;
    }
  }
  return Role::kNone;
}

Status CheckAccess(const Caller& caller, const std::string& method_path) {
  const Role needed = RoleNeeded(method_path);
  WB_CHECK(needed != Role::kNone);
  if (caller.role >= needed) return {};
  return Status(Reason::kPermissionDenied,
                "The method " + Quoted(method_path.substr(1)) + " needs the role " +
                    Quoted(RoleName(needed)) + "; the caller " + Quoted(caller.name) + " has " +
                    Quoted(RoleName(caller.role)) + ".",
                {{"role", std::string(RoleName(needed))}});
}

}  // namespace wb
