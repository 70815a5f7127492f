#pragma once

// Where the daemon listens, and the rule of what is allowed without TLS.

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wb {

struct ListenAddress {
  enum class Kind : uint8_t { kUnix, kTcp, kTls };
  Kind kind = Kind::kUnix;
  std::string path;   // kUnix: absolute
  std::string host;   // kTcp: "127.0.0.1" or "::1"; kTls: an IPv4 or IPv6 address
  uint16_t port = 0;  // kTcp, kTls; 0: chosen by the system
  bool operator==(const ListenAddress&) const = default;

  std::string ToString() const;  // "unix:///run/x.sock", "tcp://[::1]:7070"
};

// "unix:///absolute/path", "tcp://127.0.0.1:PORT", "tcp://[::1]:PORT", "tls://ADDRESS:PORT";
// localhost is 127.0.0.1. CONFIG_INVALID for anything else: other hosts need TLS.
Result<ListenAddress> ParseListenAddress(std::string_view text);

}  // namespace wb
