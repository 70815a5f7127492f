// Bursts, rests, sharing, placement: `wb_scheduler_report FOLDER [BURSTS [ROUNDS]]` prints figures,
// a last line for machines, and writes pictures into FOLDER. How late bursts end is measured on
// this machine's CPU device, where jobs go on it and the interpreter; heat, sharing and waiting
// come from the simulated machine of the tests, and say so. BURSTS 0: placement alone.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/scheduling/overshoot.h"
#include "bench/scheduling/placement_report.h"
#include "bench/scheduling/svg.h"
#include "tests/scheduler/simulation/jain.h"
#include "tests/scheduler/simulation/simulated_machine.h"

namespace {

using namespace std::chrono_literals;
using wb::bench::Plot;
using wb::test::JobShape;
using wb::test::MachineShape;
using wb::test::SimulatedMachine;

constexpr wb::TimePoint kBegin = SimulatedMachine::kBegin;
constexpr const char* kColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};

JobShape BigJob(const std::string& tenant) {
  JobShape job;
  job.share.tenant = tenant;
  job.instances = 100'000;
  job.work.length = 1e9;
  job.work.lanes = 8;
  return job;
}

double WorstOvershoot(int bursts) {
  double worst = -1;
  for (const wb::bench::Overshoots& job : wb::bench::MeasureOvershoots(bursts)) {
    std::printf(
        "bursts of 500 ms on the CPU device, %s: over by p50 %.2f %%, p99 %.2f %%, at most "
        "%.2f %% (%zu bursts)\n",
        job.job.c_str(), 100 * job.Quantile(0.5), 100 * job.Quantile(0.99), 100 * job.shares.back(),
        job.shares.size());
    worst = std::max(worst, job.Quantile(0.99));
  }
  return worst;
}

// Slices until a 1-instance job has ended, the one under way when it came included; the most of
// 200.
uint32_t SlicesOfASmallJob() {
  SimulatedMachine machine(MachineShape{}, 7);
  machine.Submit(BigJob(""));
  uint32_t most = 0;
  for (int i = 1; i <= 200; ++i) {
    machine.RunUntil(kBegin + i * 100s);
    JobShape small;
    small.work.length = 1e6;
    const size_t job = machine.Submit(small);
    machine.RunUntil(machine.now() + 80s);
    // One slice was under way; then those before its first, and its own.
    most = std::max(most, 1 + machine.job(job).turns_before_first + machine.job(job).turns);
  }
  std::printf(
      "simulated: a 1-instance job behind one of 100,000 has ended after at most %u slices\n",
      most);
  return most;
}

// Four tenants with 97, 1, 1 and 1 big jobs over a minute of work.
double Fairness(const std::string& folder) {
  MachineShape shape;
  shape.degrees_per_watt = 0.05;
  SimulatedMachine machine(shape, 11);
  const auto tenant_of = [](size_t job) { return job < 97 ? size_t{0} : job - 96; };
  for (size_t job = 0; job < 100; ++job) machine.Submit(BigJob(std::to_string(tenant_of(job))));
  machine.RunUntil(kBegin + 60s);
  std::vector<double> seconds(4);
  Plot plot{
      "Seconds of the device by tenant (simulated): 97, 1, 1 and 1 jobs", "s", 60, 0, 16, {}, {}};
  for (size_t i = 0; i < 4; ++i)
    plot.lines.push_back({"tenant " + std::to_string(i), kColours[i], {}});
  double before = 0;
  for (const wb::test::Moment& moment : machine.trace()) {
    if (moment.job >= 0) {
      const size_t tenant = tenant_of(static_cast<size_t>(moment.job));
      seconds[tenant] += moment.seconds - before;
      plot.spans.push_back({before, moment.seconds, kColours[tenant]});
    }
    before = moment.seconds;
    for (size_t i = 0; i < 4; ++i) plot.lines[i].points.emplace_back(moment.seconds, seconds[i]);
  }
  wb::bench::WriteSvg(plot, folder + "/fairness.svg");
  const double jain = wb::test::Jain(seconds);
  std::printf("simulated: four tenants with 97, 1, 1 and 1 jobs, a minute: Jain's index %.4f\n",
              jain);
  return jain;
}

// Heat and power over ten minutes of work without pause.
void Heat(const std::string& folder, const std::string& name, const MachineShape& shape) {
  SimulatedMachine machine(shape, 5);
  machine.Submit(BigJob(""));
  machine.RunUntil(kBegin + 10min);
  Plot plot{name + " (simulated): blue works, grey rests", "C, W/10", 600, 0, 100, {}, {}};
  plot.lines = {{"temperature", kColours[1], {}}, {"power, tens of watts", kColours[2], {}}};
  double before = 0;
  for (const wb::test::Moment& moment : machine.trace()) {
    plot.lines[0].points.emplace_back(moment.seconds, moment.celsius);
    plot.lines[1].points.emplace_back(moment.seconds, moment.watts / 10);
    plot.spans.push_back({before, moment.seconds, moment.job >= 0 ? kColours[0] : "#bbb"});
    before = moment.seconds;
  }
  std::string file = name;
  std::replace(file.begin(), file.end(), ' ', '-');
  wb::bench::WriteSvg(plot, folder + "/" + file + ".svg");
  std::printf("simulated: %s: works %.0f %% of the time, at most %.1f C, longest rest %.1f s\n",
              name.c_str(), machine.worked() / 6, machine.hottest(), machine.longest_rest());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "use: wb_scheduler_report FOLDER [BURSTS [ROUNDS]]\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string folder = argv[1];
  const int bursts = argc > 2 ? std::atoi(argv[2]) : 100;
  const double placement = wb::bench::WorstPlacement(
      folder, static_cast<size_t>(std::max(argc > 3 ? std::atoi(argv[3]) : 7, 1)));
  wb::bench::PlacementsWithAGpu();
  if (placement < 0) return 1;
  if (bursts == 0) return 0;
  const double overshoot = WorstOvershoot(bursts);
  MachineShape shape;
  Heat(folder, "near its power limit", shape);
  shape.limit_watts = 1000;
  Heat(folder, "hot", shape);
  shape.thermometer = false;
  Heat(folder, "without a thermometer", shape);
  const uint32_t slices = SlicesOfASmallJob();
  const double jain = Fairness(folder);
  std::printf(
      "scheduler: overshoot p99 %.2f %%, small job behind a big one %u slices, jain %.3f, auto "
      "over best worst %.2f\n",
      100 * overshoot, slices, jain, placement);
  return 0;
}
