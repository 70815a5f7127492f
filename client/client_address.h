#pragma once

// Where a daemon listens, as a client is told it.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"

namespace wb {

struct ClientAddress {
  enum class Transport : uint8_t { kUnix, kPlain, kTls };
  Transport transport = Transport::kUnix;
  std::string text;  // as it was given
  std::string host;  // without brackets; empty: a Unix socket
  std::string port;
  std::string target;  // what gRPC calls it
  // Whether what is sent stays on this machine.
  bool is_local = true;
};

// "unix:///path", "tcp://host:port", "tls://host:port", "tls://[::1]:port". INVALID_ARGUMENT.
Result<ClientAddress> ParseClientAddress(const std::string& text);

}  // namespace wb
