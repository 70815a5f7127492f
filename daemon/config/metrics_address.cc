#include "daemon/config/metrics_address.h"

#include <algorithm>
#include <string>

namespace wb {
namespace {

constexpr std::string_view kUnixScheme = "unix://";
constexpr std::string_view kLoopback[] = {"127.0.0.1:", "[::1]:", "localhost:"};

bool IsLoopback(std::string_view text) {
  return std::any_of(std::begin(kLoopback), std::end(kLoopback),
                     [text](std::string_view host) { return text.starts_with(host); });
}

}  // namespace

Result<ListenAddress> ParseMetricsAddress(std::string_view text) {
  if (text.starts_with(kUnixScheme)) return ParseListenAddress(text);
  if (IsLoopback(text)) return ParseListenAddress("tcp://" + std::string(text));
  return Status(Reason::kConfigInvalid,
                "The address [" + std::string(text) +
                    "] of [metrics] is refused: metrics and health are served without "
                    "authentication, so on 127.0.0.1:PORT, [::1]:PORT or unix:///path alone.",
                {{"address", std::string(text)}});
}

}  // namespace wb
