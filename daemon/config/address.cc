#include "daemon/config/address.h"

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

Result<ListenAddress> ParseTcp(std::string_view text, std::string_view rest) {
  size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) return Refuse(text, "needs a port: tcp://127.0.0.1:PORT");
  std::optional<uint16_t> port = ParsePort(rest.substr(colon + 1));
  if (!port) return Refuse(text, "needs a port between 0 and 65535");
  std::string_view host = rest.substr(0, colon);
  ListenAddress address;
  address.kind = ListenAddress::Kind::kTcp;
  address.port = *port;
  if (host == "127.0.0.1" || host == "localhost") {
    address.host = "127.0.0.1";
  } else if (host == "[::1]") {
    address.host = "::1";
  } else {
    return Refuse(text,
                  "is not loopback (127.0.0.1 or [::1]) and is refused: there is no TLS yet; let "
                  "remote users in by an SSH tunnel to the socket");
  }
  return address;
}

}  // namespace

std::string ListenAddress::ToString() const {
  if (kind == Kind::kUnix) return "unix://" + path;
  std::string shown = host == "::1" ? "[::1]" : host;
  return "tcp://" + shown + ":" + std::to_string(port);
}

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  constexpr std::string_view kUnixPrefix = "unix://";
  constexpr std::string_view kTcpPrefix = "tcp://";
  if (text.starts_with(kUnixPrefix)) return ParseUnix(text, text.substr(kUnixPrefix.size()));
  if (text.starts_with(kTcpPrefix)) return ParseTcp(text, text.substr(kTcpPrefix.size()));
  return Refuse(text, "is neither unix:///path nor tcp://127.0.0.1:PORT");
}

}  // namespace wb
