// wasmburstctl device cordon, uncordon, drain.

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "client/cli/commands/commands.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/duration.h"
#include "client/services/devices.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

std::string FullName(const std::string& name) {
  return name.starts_with("devices/") ? name : "devices/" + name;
}

std::string Said(const v1::ChangeDeviceResponse& response) {
  const v1::Device& device = response.device();
  std::string said = device.name() + " is " + device.gate();
  if (!response.changed()) said += " already";
  if (device.has_drain_deadline()) {
    said += ", " + std::to_string(device.job_count()) + " jobs are there until " +
            TimeText(device.drain_deadline());
  }
  return said;
}

int Tell(Invocation& invocation, const v1::ChangeDeviceResponse& response) {
  if (invocation.json()) {
    invocation.PrintMessage(response);
  } else {
    PrintLine(Said(response));
  }
  if (response.stranded_count() == 0) return 0;
  std::string names;
  for (const std::string& job : response.stranded_jobs()) names += "\n  " + job;
  invocation.Talk(
      std::to_string(response.stranded_count()) +
      " jobs may run on closed devices only; they wait until one is uncordoned:" + names);
  return 0;
}

using Change = Result<v1::ChangeDeviceResponse> (*)(Client&, const std::string&);

void AddChange(CLI::App* device, Command* chosen, const char* verb, const char* meaning,
               Change change) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = device->add_subcommand(verb, meaning);
  command->add_option("name", *name, "devices/cpu0, or cpu0")->required();
  command->callback([chosen, name, change] {
    chosen->run = [name, change](Invocation& invocation) -> Result<int> {
      WB_ASSIGN(const auto response, change(invocation.client(), FullName(*name)));
      return Tell(invocation, response);
    };
  });
}

Result<int> Drain(Invocation& invocation, const std::string& name, const std::string& deadline) {
  int64_t time = 0;
  if (deadline != "0") {
    WB_ASSIGN(time, ParseDuration(deadline));
  }
  WB_ASSIGN(const auto response,
            DrainDevice(invocation.client(), FullName(name), std::chrono::nanoseconds(time)));
  return Tell(invocation, response);
}

}  // namespace

void AddDeviceGateCommands(CLI::App* device, Command* chosen) {
  AddChange(device, chosen, "cordon",
            "Start no instance on a device; those in seats go on.\n"
            "Example: wasmburstctl device cordon cuda0",
            CordonDevice);
  AddChange(device, chosen, "uncordon",
            "Take back a cordon or a drain.\nExample: wasmburstctl device uncordon cuda0",
            UncordonDevice);
  auto name = std::make_shared<std::string>();
  auto deadline = std::make_shared<std::string>("5m");
  CLI::App* drain = device->add_subcommand(
      "drain",
      "Cordon a device, and stop its launches at the deadline: instances that are seated then "
      "start again elsewhere, or wait.\n"
      "Example: wasmburstctl device drain cuda0 --deadline 5m");
  drain->add_option("name", *name, "devices/cpu0, or cpu0")->required();
  drain->add_option("--deadline", *deadline, "such as 30s or 5m; 0: at once")->default_val("5m");
  drain->callback([chosen, name, deadline] {
    chosen->run = [name, deadline](Invocation& invocation) {
      return Drain(invocation, *name, *deadline);
    };
  });
}

}  // namespace wb::cli
