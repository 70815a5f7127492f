#include "daemon/config/cluster_settings.h"

#include <algorithm>
#include <string>

namespace wb {
namespace {

constexpr size_t kLongestName = 63;  // as of a host in a network (RFC 1123, 2.1)

bool IsHostName(const std::string& name) {
  return name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '.' || c == '_';
         });
}

Status Wrong(const std::string& setting, const std::string& words) {
  return Status(Reason::kConfigInvalid, "The setting [" + setting + "] " + words,
                {{"setting", setting}});
}

}  // namespace

Status CheckCluster(const Config& config) {
  if (config.cluster_host.empty()) return {};
  if (!IsHostName(config.cluster_host)) {
    return Wrong("cluster.host",
                 "must be at most 63 letters, digits, dots, dashes and underlines.");
  }
  if (!config.postgres.empty() && config.durable) return {};
  return Wrong("cluster.host",
               "needs a database that the daemons share: name it in [store.postgres], and leave "
               "[server.durable] true.");
}

std::string DevicePrefix(const Config& config) {
  return config.cluster_host.empty() ? "" : config.cluster_host + "/";
}

}  // namespace wb
