#include "tests/daemon/cluster/simulation/simulated_cluster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

namespace wb::test {
namespace {

constexpr uint64_t kLeastRange = 16;

class Run {
 public:
  explicit Run(const ClusterShape& shape)
      : shape_(shape), rows_(shape.rules), database_(&world_.events, shape.costs) {
    world_.database = &database_;
    world_.rows = &rows_;
    world_.jobs = shape.jobs;
    world_.claiming.resize(shape.jobs.size());
    world_.habits = shape.habits;
    database_.set_listeners(static_cast<uint32_t>(shape.hosts.size()));
  }

  ClusterOutcome Go() {
    for (const ClusterJob& job : shape_.jobs) {
      world_.events.At(job.arrives, [this, &job] { Arrive(job); });
    }
    for (size_t host = 0; host < shape_.hosts.size(); ++host) {
      hosts_.push_back(std::make_unique<SimulatedHost>(&world_, shape_.hosts[host],
                                                       shape_.seed * 1'000'003 + host));
      hosts_.back()->Start();
    }
    for (const ClusterFault& fault : shape_.faults) {
      world_.events.At(fault.at, [this, fault] { Happen(fault); });
    }
    while (world_.events.now() < shape_.most_time && !world_.events.empty() && !HasEnded()) {
      world_.events.RunOne();
      NoteDrained();
    }
    return Judge();
  }

 private:
  void Arrive(const ClusterJob& job) {
    const uint64_t most = std::max<uint64_t>(job.instances / kLeastRange, 1);
    const uint64_t ranges = shape_.ranges > 0 ? shape_.ranges : shape_.hosts.size();
    rows_.AddJob(job.instances, std::min(ranges, most));
    world_.Tell();
  }

  void Happen(const ClusterFault& fault) {
    SimulatedHost& host = *hosts_[fault.host];
    switch (fault.kind) {
      case ClusterFault::Kind::kDies: return host.Die();
      case ClusterFault::Kind::kIsSuspended: return host.Suspend(fault.lasts);
      case ClusterFault::Kind::kIsCutOff: return host.CutOff(fault.lasts);
    }
  }

  bool HasEnded() {
    if (rows_.jobs() < shape_.jobs.size()) return false;
    while (ended_ < rows_.jobs() && rows_.HasEnded(ended_)) ++ended_;
    return ended_ == rows_.jobs();
  }

  void NoteDrained() {
    if (drained_ > 0) return;
    for (size_t job = 0; job < rows_.jobs(); ++job) {
      if (rows_.open(job) == 0) drained_ = world_.events.now();
    }
  }

  double Ideal() const {
    double work = 0;
    for (size_t job = 0; job < shape_.jobs.size(); ++job) {
      const InstanceLengths lengths = {shape_.jobs[job].length, shape_.jobs[job].spread};
      for (uint64_t i = 0; i < shape_.jobs[job].instances; ++i) work += lengths.Of(job, i);
    }
    double speed = 0;
    for (size_t host = 0; host < shape_.hosts.size(); ++host) {
      const bool dies =
          std::any_of(shape_.faults.begin(), shape_.faults.end(), [&](const auto& fault) {
            return fault.kind == ClusterFault::Kind::kDies && fault.host == host;
          });
      if (!dies) speed += shape_.hosts[host].speed * static_cast<double>(shape_.hosts[host].lanes);
    }
    return work / speed;
  }

  ClusterOutcome Judge() {
    ClusterOutcome outcome;
    outcome.ended = HasEnded();
    outcome.seconds = world_.events.now();
    outcome.ideal = Ideal();
    outcome.claims = database_.count(DatabaseWork::kClaim);
    outcome.commits = database_.count(DatabaseWork::kCommit);
    outcome.reads = database_.count(DatabaseWork::kRead);
    outcome.news = database_.count(DatabaseWork::kNews);
    outcome.database_share = database_.busy() / (shape_.costs.processors * outcome.seconds);
    outcome.lost = rows_.lost();
    outcome.doubled = rows_.doubled();
    AddHosts(&outcome);
    return outcome;
  }

  void AddHosts(ClusterOutcome* outcome) {
    std::vector<double> waits;
    double worked = 0;
    for (const auto& host : hosts_) {
      const SimulatedHost::Figures& figures = host->figures();
      outcome->longest_gap = std::max(outcome->longest_gap, figures.longest_gap);
      outcome->empty_claims += figures.empty_claims;
      outcome->drops += figures.drops;
      waits.insert(waits.end(), figures.waits.begin(), figures.waits.end());
      for (const SimulatedHost::Launched& launch : figures.launches) {
        const double seconds = std::min(launch.took, drained_ - (launch.end - launch.took));
        if (seconds <= 0) continue;
        worked += seconds;
        outcome->shares[shape_.jobs[launch.job].tenant] += seconds;
      }
    }
    for (auto& [tenant, share] : outcome->shares) share /= worked;
    AddTrace(outcome);
    outcome->busy = worked / (drained_ * static_cast<double>(hosts_.size()));
    if (waits.empty()) return;
    std::sort(waits.begin(), waits.end());
    outcome->wait_middle = waits[waits.size() / 2];
    outcome->wait_longest = waits.back();
  }

  void AddTrace(ClusterOutcome* outcome) const {
    outcome->working.resize(static_cast<size_t>(world_.events.now() / kTraceStep) + 1);
    for (const auto& host : hosts_) {
      for (const SimulatedHost::Launched& launch : host->figures().launches) {
        // The part of each step in which it ran.
        for (double from = launch.end - launch.took; from < launch.end;) {
          const auto step = static_cast<size_t>(from / kTraceStep + 1e-9);
          const double to = std::min(launch.end, static_cast<double>(step + 1) * kTraceStep);
          if (step < outcome->working.size())
            outcome->working[step] += (to - from) / kTraceStep / static_cast<double>(hosts_.size());
          from = to;
        }
      }
    }
  }

  const ClusterShape& shape_;
  ClusterWorld world_;
  SharedRows rows_;
  DatabaseModel database_;
  std::vector<std::unique_ptr<SimulatedHost>> hosts_;
  size_t ended_ = 0;    // jobs, from the first on
  double drained_ = 0;  // when the first job had nothing open; 0: not yet
};

}  // namespace

ClusterOutcome RunCluster(const ClusterShape& shape) { return Run(shape).Go(); }

std::vector<SimulatedHost::Shape> HostsOf(size_t count, uint64_t lanes, double most,
                                          uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<SimulatedHost::Shape> hosts(count);
  for (SimulatedHost::Shape& host : hosts) {
    const double drawn = std::uniform_real_distribution<double>(0, 1)(random);
    host = {lanes, std::pow(most, count == 1 ? 0 : drawn)};
  }
  return hosts;
}

ClusterShape ShapeOf(size_t hosts, double seconds, const std::vector<ClusterJob>& jobs,
                     uint64_t seed) {
  constexpr uint64_t kLanes = 8;
  constexpr double kMostSpeed = 20;
  ClusterShape shape;
  shape.hosts = HostsOf(hosts, kLanes, kMostSpeed, seed);
  shape.jobs = jobs;
  shape.seed = seed;
  shape.most_time = 10 * seconds + 60;
  double speed = 0;
  for (const SimulatedHost::Shape& host : shape.hosts) speed += host.speed * kLanes;
  for (ClusterJob& job : shape.jobs) {
    job.instances = static_cast<uint64_t>(speed * seconds / job.length /
                                          static_cast<double>(shape.jobs.size()));
  }
  return shape;
}

std::vector<ClusterFault> FaultsOf(size_t hosts) {
  using Kind = ClusterFault::Kind;
  constexpr int kCuts = 12;
  std::vector<ClusterFault> faults;
  for (size_t host = 0; host < hosts; ++host) {
    const double at = 3 + 7.4 * static_cast<double>(host) / static_cast<double>(hosts);
    switch (host % 5) {
      case 0: faults.push_back({Kind::kDies, host, at, 0}); break;
      case 1: faults.push_back({Kind::kIsSuspended, host, at, 30}); break;
      case 2: faults.push_back({Kind::kIsCutOff, host, at, 40}); break;
      case 3:
        for (int cut = 0; cut < kCuts; ++cut) {
          faults.push_back({Kind::kIsCutOff, host, at + 1.3 * cut, 0.5});
        }
        break;
      default: break;
    }
  }
  return faults;
}

}  // namespace wb::test
