#pragma once

// SimulatedCluster: hosts over one database in simulated time, and what came of their jobs. Pure:
// the same shape and seed give the same run.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/daemon/cluster/simulation/simulated_host.h"

namespace wb::test {

struct ClusterFault {
  enum class Kind : uint8_t { kDies, kIsSuspended, kIsCutOff };
  Kind kind = Kind::kDies;
  size_t host = 0;
  double at = 0;
  double lasts = 0;
};

struct ClusterShape {
  std::vector<SimulatedHost::Shape> hosts;
  std::vector<ClusterJob> jobs;  // by the time at which they arrive
  std::vector<ClusterFault> faults;
  HostHabits habits;
  DatabaseCosts costs;
  SharedRules rules;
  uint64_t ranges = 0;      // that a job begins in, at most one for 16 instances; 0: one a host
  double most_time = 3600;  // seconds, after which it is stopped
  uint64_t seed = 1;
};

constexpr double kTraceStep = 0.25;  // seconds

struct ClusterOutcome {
  bool ended = false;  // all jobs, before most_time
  double seconds = 0;  // until the last result was stored
  double ideal = 0;    // all lanes of hosts that do not die busy to the end
  // Until the first job had nothing open, the part of the devices' time that each tenant had.
  std::map<std::string, double> shares;
  double busy = 0;              // part of the time until then in which devices worked
  std::vector<double> working;  // part of the hosts, in each kTraceStep
  double longest_gap = 0;       // seconds between two launches of a host
  uint64_t claims = 0, empty_claims = 0, commits = 0, reads = 0, news = 0;
  double database_share = 0;  // of its processors' time
  double wait_middle = 0;     // seconds of a commit: half take longer
  double wait_longest = 0;
  uint64_t drops = 0;
  uint64_t lost = 0, doubled = 0;

  double efficiency() const { return seconds > 0 ? ideal / seconds : 0; }
};

ClusterOutcome RunCluster(const ClusterShape& shape);

// Speeds of lanes from 1 to `most` times the slowest, each factor as frequent.
std::vector<SimulatedHost::Shape> HostsOf(size_t count, uint64_t lanes, double most, uint64_t seed);

// Hosts of eight lanes, of speeds from 1 to 20, and jobs that all of them together run for so many
// seconds, each job as long: their instances are counted here.
ClusterShape ShapeOf(size_t hosts, double seconds, const std::vector<ClusterJob>& jobs,
                     uint64_t seed = 1);

// Of each five hosts one dies, one stops for longer than its lease, one is cut off for longer, one
// is cut off again and again for half a second, and one goes on. From the third second on.
std::vector<ClusterFault> FaultsOf(size_t hosts);

}  // namespace wb::test
