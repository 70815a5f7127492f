#pragma once

// ConnectionBook: how many connections a listener has, in all and of each peer. gRPC closes
// connections without a word to us, so the book looks whether a descriptor still is the connection
// that it was. Pure but for that question; its owner locks.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace wb {

// What tells the file behind a descriptor from any other; 0: none is open.
uint64_t FileIdentity(int fd);

class ConnectionBook {
 public:
  struct Bounds {
    uint64_t all = 0;
    uint64_t of_peer = 0;
  };
  ConnectionBook(Bounds bounds, std::function<uint64_t(int fd)> identity);

  // False: there are as many as there may be; the caller closes it. `group`: for HasOpen.
  bool Add(const std::string& peer, const std::string& group, int fd);
  bool HasOpen(const std::string& group);
  uint64_t count() const { return count_; }  // those that have ended lately included

 private:
  struct Connection {
    int fd = -1;
    uint64_t identity = 0;
    std::string group;
  };
  void DropEnded();

  const Bounds bounds_;
  const std::function<uint64_t(int)> identity_;
  std::map<std::string, std::vector<Connection>> peers_;
  uint64_t count_ = 0;
  uint64_t look_at_ = 64;  // the count at which it looks which have ended
};

}  // namespace wb
