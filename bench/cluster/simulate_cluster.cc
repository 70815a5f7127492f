// Clusters of 1 to 1,000 hosts over one PostgreSQL, in simulated time: `wb_simulate_cluster FOLDER`
// prints figures, a last line for machines, and writes a picture into FOLDER. Only what
// transactions cost was measured: bench/cluster_database.sh.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/cluster/database_table.h"
#include "bench/scheduling/svg.h"
#include "tests/daemon/cluster/simulation/simulated_cluster.h"

namespace {

using wb::bench::Plot;
using wb::test::ClusterJob;
using wb::test::ClusterOutcome;
using wb::test::ClusterShape;
using wb::test::DatabaseCosts;
using wb::test::HostHabits;
using wb::test::RunCluster;
using wb::test::ShapeOf;

constexpr const char* kColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};
constexpr size_t kHosts[] = {1, 8, 64, 256, 1000};

ClusterJob JobOf(const std::string& tenant, double weight, double length = 0.25) {
  ClusterJob job;
  job.tenant = tenant;
  job.weight = weight;
  job.length = length;
  job.spread = 0.5;
  return job;
}

struct Habits {
  const char* name;
  HostHabits (*of)();
};
constexpr Habits kHabits[] = {{"paced", [] { return HostHabits(); }},
                              {"as they are", wb::test::HabitsOfDaemon}};

void PrintHead() {
  std::printf("%-24s %8s %8s %6s %7s %8s %9s %8s %7s %5s\n", "", "ends, s", "of ideal", "busy",
              "gap, s", "claims/s", "commits/s", "reads/s", "news/s", "db");
}

void Print(const std::string& name, const ClusterOutcome& outcome) {
  const double seconds = outcome.seconds;
  std::printf(
      "%-24s %8.1f %8.3f %6.3f %7.2f %8.1f %9.1f %8.0f %7.1f %4.0f%%%s\n", name.c_str(), seconds,
      outcome.efficiency(), outcome.busy, outcome.longest_gap,
      static_cast<double>(outcome.claims) / seconds, static_cast<double>(outcome.commits) / seconds,
      static_cast<double>(outcome.reads) / seconds, static_cast<double>(outcome.news) / seconds,
      100 * outcome.database_share, outcome.ended ? "" : "  has not ended");
}

// One job that all hosts together run for a minute.
double ByHosts(const DatabaseCosts& costs, const std::string& folder) {
  Plot plot{"Hosts that work (simulated), a job of 60 s", "", 80, 0, 1, {}, {}};
  double last = 0;
  std::printf("One job of 60 s by hosts of 1 to 20 times the slowest's speed\n");
  PrintHead();
  for (const size_t hosts : kHosts) {
    for (const Habits& habits : kHabits) {
      ClusterShape shape = ShapeOf(hosts, 60, {JobOf("a", 1)});
      shape.costs = costs;
      shape.most_time = 120;
      shape.habits = habits.of();
      const ClusterOutcome outcome = RunCluster(shape);
      Print(std::to_string(hosts) + " hosts, " + habits.name, outcome);
      if (&habits != &kHabits[0] || hosts == 1) continue;
      last = outcome.efficiency();
      plot.lines.push_back({std::to_string(hosts) + " hosts", kColours[plot.lines.size()], {}});
      for (size_t step = 0; step < outcome.working.size(); ++step) {
        plot.lines.back().points.emplace_back(static_cast<double>(step) * wb::test::kTraceStep,
                                              outcome.working[step]);
      }
    }
  }
  wb::bench::WriteSvg(plot, folder + "/hosts-at-work.svg");
  return last;
}

// What the daemon's habits do, one after the other, each with those before it.
void ByHabits(const DatabaseCosts& costs) {
  struct Step {
    const char* name;
    void (*take)(HostHabits* habits);
  };
  const Step steps[] = {
      {"as they are", [](HostHabits*) {}},
      {"commits paced by hosts", [](HostHabits* h) { h->gather_host = HostHabits().gather_host; }},
      {"one commit a job", [](HostHabits* h) { h->joins_chunks = true; }},
      {"news 60 s apart at most", [](HostHabits* h) { h->news_most = HostHabits().news_most; }},
      {"looks where it lacks", [](HostHabits* h) { h->looks_idly = false; }},
      {"held until it has ended", [](HostHabits* h) { h->holds_committed = false; }}};
  std::printf("\n1,000 hosts, one job of 30 s\n");
  PrintHead();
  HostHabits habits = wb::test::HabitsOfDaemon();
  for (const Step& step : steps) {
    step.take(&habits);
    ClusterShape shape = ShapeOf(1000, 30, {JobOf("a", 1)});
    shape.costs = costs;
    shape.habits = habits;
    shape.most_time = 90;
    Print(step.name, RunCluster(shape));
  }
}

// The share of a tenant that is farthest from its weight.
double ByTenants(const DatabaseCosts& costs) {
  std::printf("\nTenants of weights 1, 2 and 4 with 4, 2 and 1 jobs: parts of the devices' time\n");
  double worst = 0;
  for (const size_t hosts : {8, 64, 256}) {
    std::vector<ClusterJob> jobs(4, JobOf("one", 1));
    jobs.insert(jobs.begin() + 1, 2, JobOf("two", 2));
    jobs.insert(jobs.begin() + 3, JobOf("four", 4));
    ClusterShape shape = ShapeOf(hosts, 210, jobs);
    shape.costs = costs;
    ClusterOutcome outcome = RunCluster(shape);
    std::printf("%4zu hosts:", hosts);
    for (const auto& [tenant, weight] : {std::pair{"one", 1.0}, {"two", 2.0}, {"four", 4.0}}) {
      std::printf("  %s %.3f of %.3f", tenant, outcome.shares[tenant], weight / 7);
      worst = std::max(worst, std::abs(outcome.shares[tenant] / (weight / 7) - 1));
    }
    std::printf("; all jobs end after %.0f s, %.3f of ideal\n", outcome.seconds,
                outcome.efficiency());
  }
  return worst;
}

// Hosts of which four in five fail, and rules that are broken.
uint64_t WithFaults(const DatabaseCosts& costs) {
  std::printf("\nOf each five hosts one dies, one stands still, two are cut off\n");
  uint64_t wrong = 0;
  for (const size_t hosts : {10, 100, 1000}) {
    ClusterShape shape = ShapeOf(hosts, 40, {JobOf("a", 1), JobOf("b", 1)});
    shape.costs = costs;
    shape.faults = wb::test::FaultsOf(hosts);
    const ClusterOutcome outcome = RunCluster(shape);
    std::printf("%4zu hosts: %s after %.1f s, dropped %zu times, lost %zu, doubled %zu\n", hosts,
                outcome.ended ? "ended" : "NOT ENDED", outcome.seconds,
                static_cast<size_t>(outcome.drops), static_cast<size_t>(outcome.lost),
                static_cast<size_t>(outcome.doubled));
    wrong += outcome.lost + outcome.doubled + (outcome.ended ? 0 : 1);
  }
  const std::pair<const char*, bool wb::test::SharedRules::*> rules[] = {
      {"no fence", &wb::test::SharedRules::fences},
      {"commits without numbers", &wb::test::SharedRules::numbers},
      {"chunks of dropped hosts stay", &wb::test::SharedRules::returns_chunks},
      {"claims whose answer was lost stay", &wb::test::SharedRules::finds_chunks}};
  for (const auto& [name, rule] : rules) {
    ClusterShape shape = ShapeOf(100, 40, {JobOf("a", 1)});
    shape.costs = costs;
    shape.costs.round_trip = 0.02;
    shape.faults = wb::test::FaultsOf(100);
    shape.most_time = 150;
    shape.rules.*rule = false;
    const ClusterOutcome outcome = RunCluster(shape);
    std::printf(" 100 hosts, %s: %s, lost %zu, doubled %zu\n", name,
                outcome.ended ? "ended" : "has not ended", static_cast<size_t>(outcome.lost),
                static_cast<size_t>(outcome.doubled));
  }
  return wrong;
}

// Part of the ideal, and of the database's processors, by launches and results.
void Limits(const DatabaseCosts& costs) {
  constexpr double kLaunches[] = {0.1, 0.5, 2.0};
  constexpr uint64_t kBytes[] = {10, 1000};
  std::printf(
      "\nJobs of 20 s: part of ideal and of the database by launches and bytes of a result\n");
  std::printf("%-46s %10s %10s %10s\n", "", "64 hosts", "256", "1000");
  for (const size_t hosts_a_job : {1000, 8}) {
    for (const double launch : kLaunches) {
      for (const uint64_t bytes : kBytes) {
        std::printf("%-18s launches of %.1f s, %5zu bytes",
                    hosts_a_job == 8 ? "a job for 8 hosts" : "one job", launch,
                    static_cast<size_t>(bytes));
        for (const size_t hosts : {64, 256, 1000}) {
          std::vector<ClusterJob> jobs(std::max<size_t>(hosts / hosts_a_job, 1), JobOf("a", 1));
          for (ClusterJob& job : jobs) job.result_bytes = bytes;
          ClusterShape shape = ShapeOf(hosts, 20, jobs);
          shape.costs = costs;
          shape.habits.slice = launch;
          shape.most_time = 40;
          const ClusterOutcome outcome = RunCluster(shape);
          std::printf("  %.2f %3.0f%%", outcome.efficiency(), 100 * outcome.database_share);
        }
        std::printf("\n");
      }
    }
  }
}

// What other numbers of ClaimRule do: seconds behind the ideal end, and claims.
void Rules(const DatabaseCosts& costs) {
  struct Variant {
    const char* name;
    double wb::ClaimRule::*number;
    double value;
  };
  const Variant variants[] = {
      {"as they are", &wb::ClaimRule::low, 0.5}, {"ahead 1", &wb::ClaimRule::ahead, 1},
      {"ahead 2", &wb::ClaimRule::ahead, 2},     {"ahead 8", &wb::ClaimRule::ahead, 8},
      {"low 0.25", &wb::ClaimRule::low, 0.25},   {"low 0.75", &wb::ClaimRule::low, 0.75},
      {"part 0.25", &wb::ClaimRule::part, 0.25}, {"part 1", &wb::ClaimRule::part, 1},
      {"least 0.1", &wb::ClaimRule::least, 0.1}, {"least 0.5", &wb::ClaimRule::least, 0.5}};
  std::printf("\nNumbers of ClaimRule: a job of 30 s, seconds behind the ideal end and claims\n");
  std::printf("%-14s %16s %16s %16s\n", "", "8 hosts", "64", "256");
  for (const Variant& variant : variants) {
    std::printf("%-14s", variant.name);
    for (const size_t hosts : {8, 64, 256}) {
      double late = 0, claims = 0;
      constexpr uint64_t kSeeds = 5;
      for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
        ClusterShape shape = ShapeOf(hosts, 30, {JobOf("a", 1)}, seed);
        shape.costs = costs;
        shape.habits.claims.*variant.number = variant.value;
        const ClusterOutcome outcome = RunCluster(shape);
        late += (outcome.seconds - outcome.ideal) / kSeeds;
        claims += static_cast<double>(outcome.claims) / kSeeds;
      }
      std::printf(" %7.2f %8.0f", late, claims);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "use: wb_simulate_cluster FOLDER\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const DatabaseCosts costs;
  wb::bench::PrintDatabase(costs);
  const double efficiency = ByHosts(costs, argv[1]);
  ByHabits(costs);
  const double unfair = ByTenants(costs);
  const uint64_t wrong = WithFaults(costs);
  Rules(costs);
  Limits(costs);
  std::printf(
      "cluster: 1000 hosts %.3f of ideal, tenants %.1f %% off at most, %zu lost or doubled\n",
      efficiency, 100 * unfair, static_cast<size_t>(wrong));
  return wrong == 0 ? 0 : 1;
}
