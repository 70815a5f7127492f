#pragma once

// Whether the daemon is ready for work, as checks with names. Pure.

#include <string>
#include <vector>

#include "scheduler/run/device_status.h"

namespace wb {

struct HealthCheck {
  std::string name;
  std::string problem;  // empty: there is none
};
using HealthChecks = std::vector<HealthCheck>;

struct ReadyFacts {
  bool serving = false;   // the services are reachable
  bool draining = false;  // no new jobs are taken
  std::string store_problem;
  std::vector<DeviceStatus> devices;
};

HealthChecks ReadyChecks(const ReadyFacts& facts);
bool AllGood(const HealthChecks& checks);
// "ok", or with `verbose` and where a check fails a line for each, "[+] store" or "[-] store: why".
std::string HealthText(const HealthChecks& checks, bool verbose);

}  // namespace wb
