// wasmburstctl device bursts.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "client/cli/commands/commands.h"
#include "client/cli/output/burst_rows.h"
#include "client/cli/output/standard_output.h"
#include "client/services/devices.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

void PrintHeader(const Invocation& invocation) {
  if (invocation.format() == Format::kTable) PrintLine(BurstHeader());
  if (invocation.format() == Format::kCsv) Print(BurstCsvHeader());
}

void PrintBurst(const Invocation& invocation, const v1::Burst& burst) {
  switch (invocation.format()) {
    case Format::kTable: return PrintLine(BurstRow(burst));
    case Format::kCsv: return Print(BurstCsvRow(burst));
    case Format::kJson:
    case Format::kJsonl: return PrintLine(MessageJson(burst, false));
  }
}

void TellLosses(const Invocation& invocation, const v1::BurstEvent& event) {
  if (event.restarted()) invocation.Talk("The daemon was started again: numbers begin anew.");
  if (event.missed() == 0) return;
  invocation.Talk(std::to_string(event.missed()) +
                  " bursts are not shown: newer ones took their place before they were read.");
}

Result<int> Bursts(Invocation& invocation, const v1::WatchBurstsRequest& request) {
  PrintHeader(invocation);
  const Status status = WatchBursts(invocation.client(), request, [&](const v1::BurstEvent& event) {
    TellLosses(invocation, event);
    for (const v1::Burst& burst : event.bursts()) PrintBurst(invocation, burst);
    return OutputWorks();
  });
  if (request.follow() && status.code() == Code::kCancelled) return 0;  // that is its end
  WB_TRY(status);
  return 0;
}

}  // namespace

void AddDeviceBurstsCommand(CLI::App* device, Command* chosen) {
  auto request = std::make_shared<v1::WatchBurstsRequest>();
  auto name = std::make_shared<std::string>();
  auto follow = std::make_shared<bool>(false);
  CLI::App* bursts = device->add_subcommand(
      "bursts",
      "Show the last bursts of the devices: when, how long, why they ended, the rests between, and "
      "which jobs ran. -o json and jsonl: a line for each.\n"
      "Example: wasmburstctl device bursts cpu0 --follow -o csv");
  bursts->add_option("name", *name, "devices/cpu0, or cpu0; without it all devices");
  bursts->add_flag("--follow", *follow, "go on with each burst as it ends, until interrupted");
  bursts->callback([chosen, request, name, follow] {
    const bool is_whole = name->empty() || name->starts_with("devices/");
    request->set_device(is_whole ? *name : "devices/" + *name);
    request->set_follow(*follow);
    chosen->prints_csv = true;
    chosen->run = [request](Invocation& invocation) { return Bursts(invocation, *request); };
  });
}

}  // namespace wb::cli
