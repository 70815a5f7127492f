#pragma once

// Listening sockets that the service manager opened before it started the daemon: LISTEN_PID and
// LISTEN_FDS, as sd_listen_fds(3) says. They are found by their addresses.

#include <string>
#include <vector>

#include "daemon/config/address.h"

namespace wb {

class InheritedSockets {
 public:
  // `first`: the first descriptor, which the protocol fixes; tests have others.
  static InheritedSockets FromEnvironment(int first = 3);
  ~InheritedSockets();  // closes what nobody took
  InheritedSockets(InheritedSockets&& other) noexcept;
  InheritedSockets& operator=(InheritedSockets&&) = delete;

  // The socket of that address, now the caller's; -1: none was given.
  int Take(const ListenAddress& address);
  std::vector<std::string> left() const;  // addresses of those that nobody took

 private:
  InheritedSockets() = default;
  struct Socket {
    int fd = -1;
    std::string address;
  };
  std::vector<Socket> sockets_;
};

}  // namespace wb
