#include "daemon/rpc/connection_book.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace wb {
namespace {

constexpr uint64_t kLeastLook = 64;

}  // namespace

uint64_t FileIdentity(int fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0 || !S_ISSOCK(info.st_mode)) return 0;
  return static_cast<uint64_t>(info.st_ino) * 2 + 1;  // never 0
}

ConnectionBook::ConnectionBook(Bounds bounds, std::function<uint64_t(int)> identity)
    : bounds_(bounds), identity_(std::move(identity)) {}

bool ConnectionBook::Add(const std::string& peer, const std::string& group, int fd) {
  const bool is_full =
      count_ >= bounds_.all || (peers_.contains(peer) && peers_[peer].size() >= bounds_.of_peer);
  if (is_full || count_ >= look_at_) DropEnded();
  if (count_ >= bounds_.all) return false;
  std::vector<Connection>& connections = peers_[peer];
  if (connections.size() >= bounds_.of_peer) return false;
  connections.push_back({fd, identity_(fd), group});
  ++count_;
  return true;
}

bool ConnectionBook::HasOpen(const std::string& group) {
  DropEnded();
  for (const auto& [peer, connections] : peers_) {
    for (const Connection& connection : connections) {
      if (connection.group == group) return true;
    }
  }
  return false;
}

void ConnectionBook::DropEnded() {
  count_ = 0;
  for (auto at = peers_.begin(); at != peers_.end();) {
    std::vector<Connection>& connections = at->second;
    std::erase_if(connections, [this](const Connection& connection) {
      return identity_(connection.fd) != connection.identity;
    });
    count_ += connections.size();
    at = connections.empty() ? peers_.erase(at) : std::next(at);
  }
  // Twice as many: so each connection is looked at a few times, however many there are.
  look_at_ = std::max(kLeastLook, 2 * count_);
}

}  // namespace wb
