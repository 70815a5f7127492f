#pragma once

// Where a connection comes from: what is known of its other end before it says anything.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/role.h"

namespace wb {

// The process at the other end of a Unix socket, as the kernel says.
struct LocalPeer {
  uint32_t uid = 0;
  std::vector<uint32_t> gids;  // sorted; of a process with more than 1,024 its main group alone
  auto operator<=>(const LocalPeer&) const = default;
};

// Of a connected Unix socket; nullopt: the kernel does not say.
std::optional<LocalPeer> PeerOf(int fd);
// The process that connected it; 0: the kernel does not say.
int64_t ProcessOf(int fd);

struct Origin {
  std::optional<LocalPeer> peer;  // Unix sockets
  std::string user;               // of the peer: its name, or its number
  // What the listener gives to callers that nothing else names.
  Role role = Role::kNone;
  std::string tenant;
};

std::string UserName(uint32_t uid);                       // "anna", or "1000"
std::optional<uint32_t> UidOf(const std::string& user);   // a name or a number
std::optional<uint32_t> GidOf(const std::string& group);  // likewise

}  // namespace wb
