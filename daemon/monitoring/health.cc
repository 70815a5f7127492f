#include "daemon/monitoring/health.h"

#include <algorithm>

namespace wb {
namespace {

std::string DeviceProblem(const std::vector<DeviceStatus>& devices) {
  const bool any = std::any_of(devices.begin(), devices.end(),
                               [](const DeviceStatus& device) { return device.healthy; });
  if (any) return "";
  return "none of " + std::to_string(devices.size()) + " devices is healthy";
}

}  // namespace

HealthChecks ReadyChecks(const ReadyFacts& facts) {
  return {{"serving", facts.serving ? "" : "the services are not reachable"},
          {"admission", facts.draining ? "the daemon is draining" : ""},
          {"store", facts.store_problem},
          {"devices", DeviceProblem(facts.devices)}};
}

bool AllGood(const HealthChecks& checks) {
  return std::all_of(checks.begin(), checks.end(),
                     [](const HealthCheck& check) { return check.problem.empty(); });
}

std::string HealthText(const HealthChecks& checks, bool verbose) {
  if (AllGood(checks) && !verbose) return "ok\n";
  std::string text;
  for (const HealthCheck& check : checks) {
    const bool good = check.problem.empty();
    text += good ? "[+] " + check.name + "\n" : "[-] " + check.name + ": " + check.problem + "\n";
  }
  return text;
}

}  // namespace wb
