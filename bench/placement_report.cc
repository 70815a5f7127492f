#include "bench/placement_report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "bench/placed_jobs.h"
#include "bench/svg.h"
#include "bench/temporary_folder.h"
#include "scheduler/placement/decision.h"

namespace wb::bench {
namespace {

constexpr Placement kEngines[] = {Placement::kCpu, Placement::kInterpreter, Placement::kAuto};
constexpr uint64_t kSizes[] = {16, 1024};  // instances
constexpr uint64_t kSmall = 16;
constexpr int kSmallRounds = 15;
constexpr int kSmallColdRounds = 4;  // more, of engines that need no compiler

using Times = std::map<Placement, std::vector<double>>;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool Keep(const PlacedRun& run, Placement placement, Times& times) {
  if (!run.error.empty()) std::printf("%s\n", run.error.c_str());
  times[placement].push_back(run.seconds);
  return run.error.empty();
}

bool ColdRun(const GuestWork& guest, uint64_t instances, Placement placement, Times& cold) {
  const TemporaryFolder cache;
  return Keep(PlacedJobs(cache.path()).Run(guest, instances, placement), placement, cold);
}

// One job of each placement in turns, so that a slow moment of the machine falls on all. Cold: each
// with a scheduler and a cache that never saw the module. Warm: each with one that has just run the
// like; a job of a few milliseconds many times over, or its median would mean nothing.
bool Round(const GuestWork& guest, uint64_t instances, int round, Times& cold, Times& warm) {
  const bool is_small = instances <= kSmall;
  const int repeats = is_small ? kSmallRounds : 1;
  for (int i = 0; i < 3; ++i) {
    const Placement placement = kEngines[(i + round) % 3];
    for (int more = 0; is_small && placement != Placement::kCpu && more < kSmallColdRounds;
         ++more) {
      if (!ColdRun(guest, instances, placement, cold)) return false;
    }
    const TemporaryFolder cache;
    PlacedJobs jobs(cache.path());
    if (!Keep(jobs.Run(guest, instances, placement), placement, cold)) return false;
    // What the first job left to be built is built, and has run, before the second begins.
    if (!jobs.Run(guest, instances, Placement::kCpu).error.empty()) return false;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      if (!Keep(jobs.Run(guest, instances, placement), placement, warm)) return false;
    }
  }
  return true;
}

double Row(const GuestWork& guest, uint64_t instances, const char* cache, Times& times) {
  const double cpu = Median(times[Placement::kCpu]);
  const double interpreter = Median(times[Placement::kInterpreter]);
  const double open = Median(times[Placement::kAuto]);
  const double ratio = open / std::min(cpu, interpreter);
  std::printf("%-8s %9llu %-5s %10.2f %12.2f %10.2f %8.2f\n", guest.name.c_str(),
              static_cast<unsigned long long>(instances), cache, 1e3 * cpu, 1e3 * interpreter,
              1e3 * open, ratio);
  return ratio;
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

double WorstPlacement(const std::string& folder, int rounds) {
  double worst = 0;
  std::printf("%-8s %9s %-5s %10s %12s %10s %8s\n", "guest", "instances", "cache", "cpu, ms",
              "interp., ms", "auto, ms", "of best");
  for (const GuestWork& guest : kGuests) {
    for (const uint64_t instances : kSizes) {
      Times cold, warm;
      for (int round = 0; round < rounds; ++round) {
        if (!Round(guest, instances, round, cold, warm)) return -1;
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
