#pragma once

// What callers may do. Each role may do what those before it may.

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb {

enum class Role : uint8_t {
  kNone,       // nothing
  kViewer,     // sees its tenant's modules, jobs and results
  kSubmitter,  // uploads, runs, cancels and deletes them
  kOperator,   // sees and cancels the jobs of all tenants; devices, the kernel cache
  kAdmin,      // everything of all tenants; tokens
};

std::string_view RoleName(Role role);  // "submitter"
std::optional<Role> RoleNamed(std::string_view name);

}  // namespace wb
