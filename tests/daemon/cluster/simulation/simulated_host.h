#pragma once

// SimulatedHost: a daemon of a cluster in simulated time: one device, what it holds of the
// cluster's jobs, a thread that claims and one that commits, as daemon/cluster has them. How much
// it claims is ClaimSize's to say, and which job's turn it is FairQueue's.
//
// It may die, stop for a while (a process that is suspended: nothing of it happens, and its answers
// wait), or be cut off (it works on, and hears of nothing that it asked).

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "daemon/cluster/claim_size.h"
#include "daemon/cluster/claim_speed.h"
#include "scheduler/control/fair_queue.h"
#include "tests/daemon/cluster/simulation/database_model.h"
#include "tests/daemon/cluster/simulation/event_queue.h"
#include "tests/daemon/cluster/simulation/shared_rows.h"
#include "tests/daemon/cluster/simulation/simulated_lanes.h"

namespace wb::test {

struct ClusterJob {
  std::string tenant;
  double weight = 1;
  uint64_t instances = 0;
  double length = 1;  // seconds of an instance on a lane of speed 1, on average
  double spread = 1;  // 0: all equal; 1: exponential
  uint64_t result_bytes = 100;
  double arrives = 0;
};

// How daemons behave; seconds. Those for each host are times the number of hosts that are heard:
// what all of them do together then comes as often, however many they are.
struct HostHabits {
  ClaimRule claims;
  double slice = 0.5;  // a launch
  double beat = 3;     // it is heard
  double lease = 15;
  double look = 0.5;       // for open jobs, where nothing wakes it
  double together = 0.01;  // what wakes it within
  // Least time before it looks again where others just claimed what is open.
  double look_again = 0.02, look_again_host = 0.0005;
  // Least time between its commits; drawn from half of it to one and a half.
  double gather = 0.02, gather_host = 0.002;
  // Least time between its news for the others, and between its reads of theirs: for each pair of
  // hosts, and at least and at most.
  double news_pair = 20e-6, news_least = 0.01, news_most = 60;
  bool looks_idly = false;       // in the database, also where it lacks nothing
  bool holds_committed = false;  // instances are held until their results are in the database
  bool joins_chunks = true;      // results of a job's chunks go in one commit
};
// As the daemon has them now: but for news no time grows with the cluster.
HostHabits HabitsOfDaemon();
// As it had them at first: no time does.
HostHabits HabitsOfFew();

// What all hosts have in common. Jobs that have come are in `rows` under the same numbers.
struct ClusterWorld {
  EventQueue events;
  DatabaseModel* database = nullptr;
  SharedRows* rows = nullptr;
  std::vector<ClusterJob> jobs;
  std::vector<uint64_t> claiming;  // claims under way of each job
  HostHabits habits;
  uint64_t news = 0;                             // that hosts told
  std::vector<std::function<void()>> listeners;  // who waits for the next one
  void Tell() {
    ++news;
    for (const auto& hears : std::exchange(listeners, {})) events.After(0, hears);
  }
};

class SimulatedHost {
 public:
  struct Shape {
    uint64_t lanes = 16;
    double speed = 1;  // of a lane
  };
  struct Launched {
    size_t job = 0;
    double end = 0;
    double took = 0;
  };
  struct Figures {
    std::vector<Launched> launches;
    double longest_gap = 0;     // between launches
    uint64_t empty_claims = 0;  // that found nothing
    uint64_t drops = 0;         // of this host
    std::vector<double> waits;  // seconds of each commit
  };

  SimulatedHost(ClusterWorld* world, const Shape& shape, uint64_t seed)
      : world_(*world), shape_(shape), random_(seed) {}

  void Start();
  void Die() { is_dead_ = true; }
  void Suspend(double seconds);
  void CutOff(double seconds) { cut_until_ = world_.events.now() + seconds; }
  const Figures& figures() const { return figures_; }

 private:
  struct Work {  // of a job
    ClaimSpeed speed;
    SimulatedLanes lanes;
    uint64_t held = 0;
    bool is_queued = false;
  };
  struct Bringing {  // of a chunk
    RowChunk chunk;
    uint64_t number = 0;         // of the last commit
    std::vector<uint64_t> come;  // instances whose results wait
    uint64_t stored = 0;
  };

  // Events and transactions.
  void Post(double wait, std::function<void()> happens);
  void Deliver(std::function<void()> happens);
  void Send(Transaction transaction, std::function<void()> lost = nullptr);
  double ForHosts(double each) const { return each * hosts_; }
  double NewsPace() const;
  double Jitter() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  // The device.
  void Launch();
  void EndLaunch(size_t job, double took, const std::vector<FinishedInstance>& finished);
  void Finish(size_t job, uint64_t instances);  // no more held

  // Claims.
  void WakeClaims();
  void LookForJobs();
  void ClaimNext(std::vector<size_t> jobs, bool claimed);
  bool Claim(size_t job, std::function<void(bool claimed)> then);  // false: it has enough
  void RestClaims(bool claimed);
  uint64_t SizeFor(size_t job) const;
  void TakeChunk(const RowChunk& chunk);

  // Commits.
  void WakeCommits();
  void CommitNext(std::vector<int64_t> chunks);
  void Settle(int64_t chunk, uint64_t instances);

  // As a host.
  void Beat();
  void TellOthers();
  void HearNews();
  void EnterAgain();

  ClusterWorld& world_;
  const Shape shape_;
  std::mt19937_64 random_;
  bool is_dead_ = false;
  double suspended_until_ = 0;
  double cut_until_ = 0;
  uint64_t look_ = 0;  // the timer that counts
  int64_t id_ = 0;
  uint64_t life_ = 0;  // rises when what it held is another's
  uint32_t hosts_ = 1;

  FairQueue<size_t> queue_;
  std::map<size_t, Work> work_;
  bool is_launched_ = false;
  double idle_since_ = -1;

  bool is_claiming_ = false;
  bool is_woken_ = false;
  bool is_beaten_ = false;  // by other hosts, in this pass
  bool is_committing_ = false;
  double told_ = 0;  // the others, last
  bool has_news_ = false;
  std::map<int64_t, Bringing> bringing_;
  uint64_t news_heard_ = 0;
  Figures figures_;
};

}  // namespace wb::test
