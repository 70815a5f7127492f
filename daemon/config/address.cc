#include "daemon/config/address.h"

#include <arpa/inet.h>

#include <charconv>
#include <optional>

namespace wb {
namespace {

// sockaddr_un.sun_path holds 108 bytes on Linux and 104 on macOS, the final zero included.
constexpr size_t kLongestPath = 103;

Status Refuse(std::string_view text, std::string_view why) {
  return Status(Reason::kConfigInvalid,
                "The listen address [" + std::string(text) + "] " + std::string(why) + ".",
                {{"address", std::string(text)}});
}

std::optional<uint16_t> ParsePort(std::string_view text) {
  unsigned port = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || rest != text.data() + text.size() || port > 65535) {
    return std::nullopt;
  }
  return static_cast<uint16_t>(port);
}

Result<ListenAddress> ParseUnix(std::string_view text, std::string_view path) {
  if (path.empty() || path[0] != '/' || path.back() == '/') {
    return Refuse(text, "needs an absolute path of a file: unix:///path/to/socket");
  }
  if (path.size() > kLongestPath) {
    return Refuse(text, "has a path of " + std::to_string(path.size()) +
                            " bytes; a socket's path may have " + std::to_string(kLongestPath));
  }
  ListenAddress address;
  address.path = std::string(path);
  return address;
}

// Without the brackets of IPv6. nullopt: no address.
std::optional<std::string> HostIn(std::string_view text) {
  if (text == "localhost") return "127.0.0.1";
  const bool six = text.size() > 2 && text.front() == '[' && text.back() == ']';
  const std::string host(six ? text.substr(1, text.size() - 2) : text);
  in6_addr bytes{};
  if (inet_pton(six ? AF_INET6 : AF_INET, host.c_str(), &bytes) != 1) return std::nullopt;
  return host;
}

Result<ListenAddress> ParseTcp(std::string_view text, std::string_view rest,
                               ListenAddress::Kind kind) {
  size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) return Refuse(text, "needs a port: tcp://127.0.0.1:PORT");
  std::optional<uint16_t> port = ParsePort(rest.substr(colon + 1));
  if (!port) return Refuse(text, "needs a port between 0 and 65535");
  const std::optional<std::string> host = HostIn(rest.substr(0, colon));
  if (!host) return Refuse(text, "needs an address such as 127.0.0.1 or [::1] before the port");
  if (kind == ListenAddress::Kind::kTcp && *host != "127.0.0.1" && *host != "::1") {
    return Refuse(
        text,
        "is not loopback (127.0.0.1 or [::1]) and is refused without TLS; write tls:// and "
        "name a certificate in [tls]");
  }
  ListenAddress address;
  address.kind = kind;
  address.port = *port;
  address.host = *host;
  return address;
}

}  // namespace

std::string ListenAddress::ToString() const {
  if (kind == Kind::kUnix) return "unix://" + path;
  const bool six = host.find(':') != std::string::npos;
  return (kind == Kind::kTls ? "tls://" : "tcp://") + (six ? "[" + host + "]" : host) + ":" +
         std::to_string(port);
}

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  constexpr std::string_view kUnixPrefix = "unix://";
  constexpr std::string_view kTcpPrefix = "tcp://";
  constexpr std::string_view kTlsPrefix = "tls://";
  using Kind = ListenAddress::Kind;
  if (text.starts_with(kUnixPrefix)) return ParseUnix(text, text.substr(kUnixPrefix.size()));
  if (text.starts_with(kTcpPrefix)) {
    return ParseTcp(text, text.substr(kTcpPrefix.size()), Kind::kTcp);
  }
  if (text.starts_with(kTlsPrefix)) {
    return ParseTcp(text, text.substr(kTlsPrefix.size()), Kind::kTls);
  }
  return Refuse(text, "is none of unix:///path, tcp://127.0.0.1:PORT and tls://ADDRESS:PORT");
}

}  // namespace wb
