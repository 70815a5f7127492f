#include "client/client_address.h"

#include <string_view>

namespace wb {
namespace {

using Transport = ClientAddress::Transport;

constexpr std::string_view kPlainScheme = "tcp://";
constexpr std::string_view kTlsScheme = "tls://";

bool IsPort(std::string_view text) {
  if (text.empty() || text.size() > 5) return false;
  uint32_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<uint32_t>(c - '0');
  }
  return number <= 65535;
}

bool IsIpv4(std::string_view host) {
  return host.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool IsLoopback(const std::string& host) {
  return host == "localhost" || host == "::1" || (IsIpv4(host) && host.starts_with("127."));
}

// "host:port" or "[host]:port" into its parts. False: it is neither.
bool SplitHost(std::string_view rest, ClientAddress* address) {
  const size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || !IsPort(rest.substr(colon + 1))) {
    return false;
  }
  std::string_view host = rest.substr(0, colon);
  const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (has_brackets) host = host.substr(1, host.size() - 2);
  if (!has_brackets && host.find_first_of("[]:/ ") != std::string_view::npos) return false;
  address->host = host;
  address->port = rest.substr(colon + 1);
  const char* scheme = has_brackets ? "ipv6:" : IsIpv4(host) ? "ipv4:" : "dns:///";
  address->target = scheme + std::string(rest);
  return true;
}

}  // namespace

Result<ClientAddress> ParseClientAddress(const std::string& text) {
  ClientAddress address;
  address.text = text;
  if (text.starts_with("unix:///")) {
    address.target = text;
    return address;
  }
  const bool is_tls = text.starts_with(kTlsScheme);
  const bool has_scheme = is_tls || text.starts_with(kPlainScheme);
  if (!has_scheme || !SplitHost(std::string_view(text).substr(kTlsScheme.size()), &address)) {
    return Status(Reason::kInvalidArgument,
                  "The address [" + text +
                      "] is none of unix:///path/to/socket, tcp://host:port and tls://host:port.",
                  {{"field", "addr"}});
  }
  address.transport = is_tls ? Transport::kTls : Transport::kPlain;
  address.is_local = IsLoopback(address.host);
  return address;
}

}  // namespace wb
