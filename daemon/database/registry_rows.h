#pragma once

// Rows of the registry's tables that have no other type.

#include <cstdint>
#include <string>

namespace wb {

// A tenant that uploaded what lies under the digest.
struct OwnerRow {
  std::string kind;  // "module", "input"
  std::string digest;
  std::string tenant;
  auto operator<=>(const OwnerRow&) const = default;
};

// A device that an operator has closed, and since when.
struct CordonRow {
  std::string device;  // "cuda0"
  int64_t since_unix_ns = 0;
  auto operator<=>(const CordonRow&) const = default;
};

}  // namespace wb
