// wasmburstctl check: what the daemon does here and now.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <memory>

#include "client/cli/commands/commands.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/perf/perf_check.h"

namespace wb::cli {
namespace {

Result<int> CheckPerf(Invocation& invocation, int64_t seconds) {
  WB_ASSIGN(std::shared_ptr<Client> cleaner,
            Client::Connect(invocation.flags().address, invocation.flags().client));
  Progress progress(invocation.flags().quiet);
  std::vector<Measurement> measurements;
  {
    PerfCheck check(
        &invocation.client(), cleaner, std::chrono::seconds(seconds),
        [&progress](const std::string& what) { progress.ShowWords("measuring: " + what); });
    WB_ASSIGN(measurements, check.Run());
  }
  progress.Clear();
  if (invocation.format() == Format::kJson) {
    PrintLine(MeasurementsJson(measurements));
  } else if (invocation.format() == Format::kJsonl) {
    for (const Measurement& measurement : measurements) {
      PrintLine(MeasurementJson(measurement));
    }
  } else {
    Print(MeasurementTable(measurements));
  }
  return std::any_of(measurements.begin(), measurements.end(), HasFailed) ? kCheckFailed : 0;
}

}  // namespace

void AddCheckCommands(CLI::App* app, Command* chosen) {
  CLI::App* noun = app->add_subcommand("check", "Measurements of the running daemon.");
  noun->require_subcommand(1);
  auto seconds = std::make_shared<int64_t>(10);
  CLI::App* perf = noun->add_subcommand(
      "perf",
      "Measure the daemon from here: the time of a call, jobs accepted, results stored and "
      "streamed, the compilation of a small new module, instructions on each kind of device. Each "
      "is the median of its runs; at least one run of each is made, however long it takes. Its "
      "jobs "
      "share the devices with others, and are deleted. Exit code 1 where one fails.\n"
      "Example: wasmburstctl check perf --seconds 30 -o json");
  perf->add_option("--seconds", *seconds, "the time, of all measurements together")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  perf->callback([chosen, seconds] {
    chosen->run = [seconds](Invocation& invocation) { return CheckPerf(invocation, *seconds); };
  });
}

}  // namespace wb::cli
