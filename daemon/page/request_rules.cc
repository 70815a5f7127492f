#include "daemon/page/request_rules.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

constexpr std::string_view kThisMachine[] = {"localhost", "127.0.0.1", "[::1]"};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return lower;
}

// Without the port. What is no port stays, and so is no name that is known.
std::string NameOf(std::string_view host) {
  const size_t colon = host.rfind(':');
  const size_t bracket = host.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || bracket < colon);
  if (!has_port) return Lower(host);
  const std::string_view port = host.substr(colon + 1);
  const bool digits = !port.empty() && std::all_of(port.begin(), port.end(),
                                                   [](char c) { return c >= '0' && c <= '9'; });
  return Lower(digits ? host.substr(0, colon) : host);
}

bool IsJson(std::string_view type) {
  return Lower(type.substr(0, type.find(';'))) == "application/json";
}

}  // namespace

std::vector<std::string> HostsOf(std::string_view setting) {
  std::vector<std::string> hosts;
  std::string name;
  for (const char c : std::string(setting) + ",") {
    if (c == ' ') continue;
    if (c != ',') {
      name += c;
    } else if (!name.empty()) {
      hosts.push_back(Lower(std::exchange(name, {})));
    }
  }
  return hosts;
}

std::optional<HttpAnswer> RefuseHost(const HttpRequest& request,
                                     const std::vector<std::string>& hosts) {
  const std::string name = NameOf(request.Header("host"));
  if (std::find(std::begin(kThisMachine), std::end(kThisMachine), name) != std::end(kThisMachine) ||
      std::find(hosts.begin(), hosts.end(), name) != hosts.end()) {
    return std::nullopt;
  }
  return HttpAnswer{403, "The page is not served under this name: page.hosts does not have it.\n"};
}

std::optional<HttpAnswer> RefuseCall(const HttpRequest& request) {
  const std::string& host = request.Header("host");
  const std::string& origin = request.Header("origin");
  const std::string& site = request.Header("sec-fetch-site");
  const bool is_own = origin.empty() || origin == "http://" + host || origin == "https://" + host;
  if (!is_own || (!site.empty() && site != "same-origin" && site != "none")) {
    return HttpAnswer{403, "Other sites may not call this daemon.\n"};
  }
  if (IsJson(request.Header("content-type"))) return std::nullopt;
  return HttpAnswer{415, "The body of a call is application/json.\n"};
}

}  // namespace wb
