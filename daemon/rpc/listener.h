#pragma once

// Listening sockets, and the loop that accepts from them. Our own, because gRPC 1.51's stops
// accepting for good once the process has run out of file descriptors (CVE-2023-4785).

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "compiler/base/status.h"
#include "daemon/config/config.h"

namespace wb {

class InheritedSockets;

// A listening socket: one that the service manager opened for this address, or a new one. A new
// Unix socket is guarded by a lock file beside it (PATH.lock), so that two
// daemons never share a path and a socket left by a dead one is replaced. Closed and removed at
// the end.
class Listener {
 public:
  // IO_ERROR, or FAILED_PRECONDITION-like CONFIG_INVALID when something else is at the path.
  // `inherited`: what the service manager gave; null: nothing.
  static Result<std::unique_ptr<Listener>> Open(const ListenSetting& setting,
                                                InheritedSockets* inherited = nullptr);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int fd() const { return fd_; }
  const ListenAddress& address() const { return address_; }  // with the real port

 private:
  Listener() = default;
  Status OpenUnix(uint32_t mode);
  Status OpenTcp();

  ListenAddress address_;
  int fd_ = -1;
  int lock_fd_ = -1;
  bool bound_ = false;  // the socket file is ours
};

// What the loop needs of the system; tests give failing ones.
struct AcceptCalls {
  // A new connection's descriptor (non-blocking, closed on exec), or -1 with errno.
  std::function<int(int listening)> accept;
};
AcceptCalls SystemAcceptCalls();

// One thread that accepts until it is destroyed. Descriptors go to `connected`, which owns them.
// When descriptors run out it waits 100 ms and tries again, for as long as it takes. After half a
// second it gives up one that it keeps in reserve, accepts with that and closes the connection at
// once: the client hears that the daemon is unavailable rather than nothing. `failed` is told of
// the error once, until a connection is accepted again.
class AcceptLoop {
 public:
  AcceptLoop(int listening, AcceptCalls calls, std::function<void(int fd)> connected,
             std::function<void(int error)> failed);
  ~AcceptLoop();
  AcceptLoop(const AcceptLoop&) = delete;
  AcceptLoop& operator=(const AcceptLoop&) = delete;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
  std::thread thread_;
};

}  // namespace wb
