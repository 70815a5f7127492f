#include "bench/scheduling/placement_report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <vector>

#include "bench/scheduling/placed_jobs.h"
#include "bench/scheduling/svg.h"
#include "bench/temporary_folder.h"
#include "scheduler/placement/decision.h"

namespace wb::bench {
namespace {

constexpr std::array kPlacements = {Placement::kCpu, Placement::kInterpreter, Placement::kAuto};
constexpr uint64_t kSizes[] = {16, 1024};  // instances
constexpr uint64_t kSmall = 16;
// A job of a few milliseconds many times over, or a round would say nothing.
constexpr size_t kSmallRepeats = 15;
constexpr size_t kSmallColdRepeats = 7;

using Times = std::map<Placement, std::vector<double>>;  // seconds

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool Keep(const PlacedRun& run, Placement placement, Times& times) {
  if (!run.error.empty()) std::printf("%s\n", run.error.c_str());
  times[placement].push_back(run.seconds);
  return run.error.empty();
}

// What a round came to is one number for each placement.
void KeepMedians(const Times& round, Times& rounds) {
  for (const auto& [placement, times] : round) rounds[placement].push_back(Median(times));
}

// One of each placement after the other, another one first each time: a slow moment of the machine
// falls on all of them.
template <typename Run>
bool InTurns(size_t repeats, size_t first, const Run& run) {
  for (size_t repeat = 0; repeat < repeats; ++repeat) {
    for (size_t i = 0; i < kPlacements.size(); ++i) {
      if (!run(kPlacements[(i + repeat + first) % kPlacements.size()])) return false;
    }
  }
  return true;
}

// Each with a scheduler and a cache that never saw the module.
bool ColdRound(const GuestWork& guest, uint64_t instances, size_t round, Times& cold) {
  Times times;
  const bool went_well =
      InTurns(instances <= kSmall ? kSmallColdRepeats : 1, round, [&](Placement placement) {
        // A compiler's half second is far from the best of small jobs: once is enough.
        if (placement == Placement::kCpu && !times[placement].empty()) return true;
        const TemporaryFolder cache;
        return Keep(PlacedJobs(cache.path()).Run(guest, instances, placement), placement, times);
      });
  if (went_well) KeepMedians(times, cold);
  return went_well;
}

// Each with a scheduler that has run the like, and has built what that left to be built.
bool WarmRound(const GuestWork& guest, uint64_t instances, size_t round, Times& warm) {
  struct Warm {
    TemporaryFolder cache;
    PlacedJobs jobs{cache.path()};
  };
  std::map<Placement, Warm> all;
  for (const Placement placement : kPlacements) {
    PlacedJobs& jobs = all[placement].jobs;
    if (!jobs.Run(guest, instances, placement).error.empty()) return false;
    if (!jobs.Run(guest, instances, Placement::kCpu).error.empty()) return false;
  }
  Times times;
  const bool went_well =
      InTurns(instances <= kSmall ? kSmallRepeats : 1, round, [&](Placement placement) {
        return Keep(all.at(placement).jobs.Run(guest, instances, placement), placement, times);
      });
  if (went_well) KeepMedians(times, warm);
  return went_well;
}

// Round by round, against the engine that is best in the median of them.
double Row(const GuestWork& guest, uint64_t instances, const char* cache, const Times& rounds) {
  const std::vector<double>& cpu = rounds.at(Placement::kCpu);
  const std::vector<double>& interpreter = rounds.at(Placement::kInterpreter);
  const std::vector<double>& open = rounds.at(Placement::kAuto);
  const std::vector<double>& best = Median(cpu) < Median(interpreter) ? cpu : interpreter;
  std::vector<double> ratios;
  for (size_t i = 0; i < open.size(); ++i) ratios.push_back(open[i] / best[i]);
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  std::printf("%-8s %9llu %-5s %10.2f %12.2f %10.2f %8.2f   %.2f .. %.2f\n", guest.name.c_str(),
              static_cast<unsigned long long>(instances), cache, 1e3 * Median(cpu),
              1e3 * Median(interpreter), 1e3 * Median(open), Median(ratios), *low, *high);
  return Median(ratios);
}

// A job that starts on the interpreter and moves when it is compiled.
void PlotWhereItRan(const std::string& folder) {
  const TemporaryFolder cache;
  PlacedJobs jobs(cache.path());
  const PlacedRun run = jobs.Run(kGuests[2], 8192, Placement::kAuto);
  if (!run.error.empty()) return;
  Plot plot{"Where the instances of a lexer's job ended, nothing cached (measured)",
            "instances",
            run.seconds,
            0,
            8192,
            {},
            {}};
  plot.lines = {{"interpreter0", "#d62728", {{0, 0}}}, {"cpu0", "#1f77b4", {{0, 0}}}};
  double before = 0;
  for (const Arrival& arrival : run.arrivals) {
    for (Line& line : plot.lines) {
      const double sum = line.points.back().second;
      const bool here = line.name == arrival.device;
      line.points.emplace_back(arrival.seconds,
                               sum + (here ? static_cast<double>(arrival.instances) : 0));
      if (here) plot.spans.push_back({before, arrival.seconds, line.colour});
    }
    before = arrival.seconds;
  }
  WriteSvg(plot, folder + "/where-lanes-ran.svg");
  std::printf("where-lanes-ran.svg: %s\n", run.reason.c_str());
}

Candidate Processors() { return {"cpu0", Engine::kCpu, 16, {1.1e11, 0, 0.001}, true, 0, 0}; }

double EndOf(const JobPicture& job, bool cpu, bool gpu) {
  std::vector<Worker> workers = WorkersOf(job);
  if (!cpu) workers[0].lane_time = 0;
  if (!gpu) workers[1].lane_time = 0;
  return TimeToEnd(workers, job.waiting);
}

}  // namespace

double WorstPlacement(const std::string& folder, size_t rounds) {
  double worst = 0;
  std::printf("%-8s %9s %-5s %10s %12s %10s %8s   %s\n", "guest", "instances", "cache", "cpu, ms",
              "interp., ms", "auto, ms", "of best", "lowest .. highest round");
  for (const GuestWork& guest : kGuests) {
    for (const uint64_t instances : kSizes) {
      Times cold, warm;
      for (size_t round = 0; round < rounds; ++round) {
        if (!ColdRound(guest, instances, round, cold)) return -1;
        if (!WarmRound(guest, instances, round, warm)) return -1;
      }
      worst = std::max(worst, Row(guest, instances, "cold", cold));
      worst = std::max(worst, Row(guest, instances, "warm", warm));
    }
  }
  PlotWhereItRan(folder);
  return worst;
}

void PlacementsWithAGpu() {
  for (const double fuel : {875e3, 17.5e6}) {
    const bool is_short = fuel < 1e6;
    const Candidate gpu{"cuda0", Engine::kCuda,
                        270336,  {is_short ? 6.9e12 : 4.8e13, 0, is_short ? 0.144 : 0.045},
                        false,   0,
                        0};
    for (uint64_t instances = 100; instances <= 100'000'000; instances *= 10) {
      const JobPicture job{{Processors(), gpu}, instances, fuel, 0};
      const auto move = NextMove(job);
      std::printf(
          "computed: %9llu instances of %.3g instructions: %8.3g s on 16 processors, %8.3g s on an "
          "H200, %8.3g s on both: %s\n",
          static_cast<unsigned long long>(instances), fuel, EndOf(job, true, false),
          EndOf(job, false, true), EndOf(job, true, true), move ? "cuda0 joins" : "cpu0 alone");
    }
  }
}

}  // namespace wb::bench
