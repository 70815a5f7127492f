#pragma once

// Client: a daemon, reached from C++. What is asked of it are the functions of client/services, a
// file for each service of proto/wasmburst/v1. Messages are those of proto; errors are Status, with
// the reasons of the daemon (compiler/base/errors.def).
//
// Calls block, and any thread may make any of them. Unless they say otherwise, those that fail with
// UNAVAILABLE are tried again with growing pauses, and streams are resumed where they broke.

#include <memory>
#include <string>

#include "client/client_options.h"
#include "compiler/base/status.h"

namespace wb {

struct ClientConnection;

class Client {
 public:
  // "unix:///path", "tcp://host:port", "tls://host:port". Reads the files that `options` names, and
  // connects at the first call. INVALID_ARGUMENT; IO_ERROR names a file.
  static Result<std::unique_ptr<Client>> Connect(const std::string& address,
                                                 const ClientOptions& options);
  ~Client();

  // Ends all calls under way and to come with CANCELLED.
  void Interrupt();
  Status CheckGoesOn() const;  // CANCELLED once it was interrupted

  // For client/services.
  ClientConnection& connection() { return *connection_; }

 private:
  explicit Client(std::unique_ptr<ClientConnection> connection);
  std::unique_ptr<ClientConnection> connection_;
};

}  // namespace wb
