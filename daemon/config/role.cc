#include "daemon/config/role.h"

#include <iterator>

namespace wb {
namespace {

constexpr std::string_view kRoleNames[] = {"none", "viewer", "submitter", "operator", "admin"};

}  // namespace

std::string_view RoleName(Role role) { return kRoleNames[static_cast<size_t>(role)]; }

std::optional<Role> RoleNamed(std::string_view name) {
  for (size_t i = 0; i < std::size(kRoleNames); ++i) {
    if (kRoleNames[i] == name) return static_cast<Role>(i);
  }
  return std::nullopt;
}

}  // namespace wb
