#include "daemon/identity/origin.h"

#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace wb {
namespace {

// A page of names; entries with more are not found by name.
constexpr size_t kEntryBytes = 16 << 10;

#ifdef __linux__
constexpr size_t kMostGroups = 1024;

std::vector<uint32_t> GroupsOf(int fd, gid_t first) {
  std::vector<uint32_t> gids = {first};
#ifdef SO_PEERGROUPS
  gid_t more[kMostGroups];
  socklen_t size = sizeof(more);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, more, &size) == 0) {
    gids.insert(gids.end(), more, more + size / sizeof(gid_t));
  }
#endif
  return gids;
}
#endif

std::optional<uint32_t> NumberIn(const std::string& text) {
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<LocalPeer> PeerOf(int fd) {
  LocalPeer peer;
#ifdef __linux__
  ucred credentials{};
  socklen_t size = sizeof(credentials);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
  peer.uid = credentials.uid;
  peer.gids = GroupsOf(fd, credentials.gid);
#else
  uid_t uid = 0;
  gid_t gid = 0;
  if (getpeereid(fd, &uid, &gid) != 0) return std::nullopt;
  peer.uid = uid;
  peer.gids = {gid};
#endif
  std::sort(peer.gids.begin(), peer.gids.end());
  peer.gids.erase(std::unique(peer.gids.begin(), peer.gids.end()), peer.gids.end());
  return peer;
}

int64_t ProcessOf(int fd) {
#ifdef __linux__
  ucred credentials{};
  socklen_t size = sizeof(credentials);
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 ? credentials.pid : 0;
#else
  (void)fd;  // no host is isolated elsewhere
  return 0;
#endif
}

std::string UserName(uint32_t uid) {
  char bytes[kEntryBytes];
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(uid, &entry, bytes, sizeof(bytes), &found) == 0 && found != nullptr) {
    return found->pw_name;
  }
  return std::to_string(uid);
}

std::optional<uint32_t> UidOf(const std::string& user) {
  char bytes[kEntryBytes];
  passwd entry{};
  passwd* found = nullptr;
  if (getpwnam_r(user.c_str(), &entry, bytes, sizeof(bytes), &found) == 0 && found != nullptr) {
    return found->pw_uid;
  }
  return NumberIn(user);
}

std::optional<uint32_t> GidOf(const std::string& group_name) {
  char bytes[kEntryBytes];
  group entry{};
  group* found = nullptr;
  if (getgrnam_r(group_name.c_str(), &entry, bytes, sizeof(bytes), &found) == 0 &&
      found != nullptr) {
    return found->gr_gid;
  }
  return NumberIn(group_name);
}

}  // namespace wb
