// wasmburstctl device: what jobs run on, how warm it is, what it does.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "client/cli/commands/commands.h"
#include "client/cli/invocation/watch.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/duration.h"
#include "client/services/devices.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kClear = "\033[H\033[2J";  // a terminal, from its upper left corner

std::string Rounded(double number, const char* unit) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f%s", number, unit);
  return text;
}

std::string Heat(const v1::Telemetry& telemetry) {
  std::string heat = telemetry.has_celsius() ? Rounded(telemetry.celsius(), " C") : "-";
  if (!telemetry.has_celsius() && !telemetry.thermal_state().empty()) {
    heat = telemetry.thermal_state();
  }
  return telemetry.throttled() ? heat + " throttled" : heat;
}

std::string Power(const v1::Telemetry& telemetry) {
  if (!telemetry.has_watts()) return "-";
  const std::string limit =
      telemetry.has_watts_limit() ? "/" + Rounded(telemetry.watts_limit(), "") : "";
  return Rounded(telemetry.watts(), "") + limit + " W";
}

std::string Load(const v1::Telemetry& telemetry) {
  return telemetry.has_utilisation() ? Rounded(100 * telemetry.utilisation(), " %") : "-";
}

std::string GateSuffix(const v1::Device& device) {
  return device.gate().empty() || device.gate() == "open" ? "" : ", " + device.gate();
}

// What it does, and whether it takes instances.
std::string State(const v1::Device& device) {
  return (device.healthy() ? device.state() : "unhealthy") + GateSuffix(device);
}

std::string DeviceTable(const v1::ListDevicesResponse& response) {
  std::vector<std::vector<std::string>> rows = {{"NAME", "ENGINE", "STATE", "JOBS", "HEAT",
                                                 "THREADS", "MEMORY", "LAUNCHES", "INSTANCES",
                                                 "MODEL"}};
  for (const v1::Device& device : response.devices()) {
    rows.push_back({device.name(), device.engine(), State(device),
                    std::to_string(device.job_count()), Heat(device.telemetry()),
                    std::to_string(device.threads()), SizeText(device.memory_bytes()),
                    std::to_string(device.bursts()), std::to_string(device.instances()),
                    device.model()});
  }
  std::string text = Table(rows);
  for (const std::string& words : response.missing()) text += words + "\n";
  return text;
}

Result<int> ShowDevices(Invocation& invocation, const v1::ListDevicesResponse& response) {
  if (invocation.format() == Format::kTable) Print(DeviceTable(response));
  if (invocation.format() == Format::kJson) invocation.PrintMessage(response);
  if (invocation.format() != Format::kJsonl) return 0;
  for (const v1::Device& device : response.devices()) invocation.PrintMessage(device);
  return 0;
}

Result<int> WatchDevices(Invocation& invocation, const WatchOptions& options) {
  return WatchLooks(invocation, options, [&invocation]() -> Result<Look> {
    WB_ASSIGN(const v1::ListDevicesResponse devices, ListDevices(invocation.client()));
    return Look{DeviceTable(devices), [devices](const auto& show) {
                  for (const v1::Device& device : devices.devices()) show(device.name(), device);
                }};
  });
}

Result<int> ListDevices(Invocation& invocation, const WatchOptions& watch) {
  if (watch.on) return WatchDevices(invocation, watch);
  WB_ASSIGN(const v1::ListDevicesResponse response, ListDevices(invocation.client()));
  return ShowDevices(invocation, response);
}

Result<int> FindDevices(Invocation& invocation) {
  WB_ASSIGN(const v1::ListDevicesResponse response, FindDevices(invocation.client()));
  return ShowDevices(invocation, response);
}

double SecondsOf(const google::protobuf::Duration& duration) {
  return static_cast<double>(duration.seconds()) + duration.nanos() / 1e9;
}

// "40 instances in 64 lanes, 2 jobs, for 0.21 s of at most 0.50 s"
std::string LaunchText(const v1::LaunchInFlight& launch) {
  char times[64];
  std::snprintf(times, sizeof times, ", for %.2f s of at most %.2f s", SecondsOf(launch.age()),
                SecondsOf(launch.longest()));
  return std::to_string(launch.instances()) + " instances in " + std::to_string(launch.lanes()) +
         " lanes, " + std::to_string(launch.job_count()) +
         (launch.job_count() == 1 ? " job" : " jobs") + times;
}

void AddLaunches(const v1::Device& device, std::vector<std::vector<std::string>>* rows) {
  rows->push_back({"in flight", device.launches_in_flight().empty() ? "-" : ""});
  for (const v1::LaunchInFlight& launch : device.launches_in_flight()) {
    std::string& cell = rows->back()[1];
    if (cell.empty()) {
      cell = LaunchText(launch);
    } else {
      rows->push_back({"", LaunchText(launch) + ", behind it"});
    }
  }
}

void ShowDevice(const v1::Device& device) {
  const v1::Telemetry& telemetry = device.telemetry();
  const bool rests = !device.rest().empty();
  std::vector<std::vector<std::string>> rows = {
      {"name", device.name()},
      {"engine", device.engine()},
      {"model", device.model()},
      {"state", State(device)},
      {"rests", rests ? device.rest() : "-"},
      {"closed since", device.has_gate_time() ? TimeText(device.gate_time()) : "-"},
      {"drained by", device.has_drain_deadline() ? TimeText(device.drain_deadline()) : "-"},
      {"health", device.healthy() ? "well" : device.trouble()},
      {"policy", device.policy()},
      {"heat", Heat(telemetry)},
      {"power", Power(telemetry)},
      {"sensors", device.sensors().empty() ? "-" : device.sensors()},
      {"load", Load(telemetry)},
      {"memory in use", telemetry.has_memory_used() ? SizeText(telemetry.memory_used()) : "-"},
      {"memory for instances", SizeText(device.memory_bytes())},
      {"threads", std::to_string(device.threads())},
      {"launches", std::to_string(device.bursts())},
      {"instances", std::to_string(device.instances())},
      {"instructions", std::to_string(device.fuel())},
      {"busy", std::to_string(device.busy().seconds()) + " s"},
      {"energy", device.has_joules() ? CountText(device.joules()) + " J in launches" : "-"},
      {"restarts", std::to_string(device.restarts())},
      {"target", device.target()}};
  AddLaunches(device, &rows);
  rows.push_back({"jobs", std::to_string(device.job_count())});
  for (const v1::DeviceJob& job : device.jobs()) {
    const std::string waits = job.waiting_for().empty() ? "" : ", waits for " + job.waiting_for();
    rows.push_back({"", job.job() + ": " + std::to_string(job.running()) + " running" + waits});
  }
  Print(Table(rows));
}

Result<int> GetDevice(Invocation& invocation, const std::string& name) {
  WB_ASSIGN(v1::ListDevicesResponse response, ListDevices(invocation.client()));
  for (const v1::Device& device : response.devices()) {
    if (device.name() != name && device.name() != "devices/" + name) continue;
    if (invocation.json()) {
      invocation.PrintMessage(device);
    } else {
      ShowDevice(device);
    }
    return 0;
  }
  return Status(Reason::kInvalidArgument,
                "There is no device [" + name + "]; `wasmburstctl device list` names them.");
}

// What happened between two looks.
std::vector<std::string> TopRow(const v1::Device& now, const v1::Device& before, double seconds) {
  const auto rate = [seconds](uint64_t late, uint64_t early) {
    const double count = late >= early ? static_cast<double>(late - early) : 0;
    return seconds > 0 ? Rounded(count / seconds, "") : std::string("-");
  };
  const double busy = 100 * (SecondsOf(now.busy()) - SecondsOf(before.busy()));
  return {now.name(),
          now.rest().empty() ? State(now) : now.rest() + GateSuffix(now),
          std::to_string(now.job_count()),
          seconds > 0 ? Rounded(busy / seconds, " %") : "-",
          rate(now.instances(), before.instances()),
          rate(now.fuel(), before.fuel()),
          Heat(now.telemetry()),
          Power(now.telemetry()),
          Load(now.telemetry())};
}

struct TopOptions {
  std::string interval = "1s";
  uint64_t looks = 0;  // 0: until it is interrupted
};

void PrintLines(const v1::ListDevicesResponse& devices) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  for (const v1::Device& device : devices.devices()) {
    const std::string json = MessageJson(device, false);
    PrintLine("{\"time_unix_ms\":" + std::to_string(ms) + "," + json.substr(1));
  }
}

void PrintTop(const v1::ListDevicesResponse& now, const v1::ListDevicesResponse& before,
              double seconds) {
  std::vector<std::vector<std::string>> rows = {
      {"NAME", "STATE", "JOBS", "BUSY", "INSTANCES/S", "INSTRUCTIONS/S", "HEAT", "POWER", "LOAD"}};
  for (int i = 0; i < now.devices_size(); ++i) {
    const bool known =
        i < before.devices_size() && before.devices(i).name() == now.devices(i).name();
    rows.push_back(
        TopRow(now.devices(i), known ? before.devices(i) : now.devices(i), known ? seconds : 0));
  }
  if (isatty(STDOUT_FILENO) != 0) Print(kClear);
  Print(Table(rows));
}

Result<int> Top(Invocation& invocation, const TopOptions& options) {
  using Clock = std::chrono::steady_clock;
  WB_ASSIGN(const int64_t interval, ParseDuration(options.interval));
  v1::ListDevicesResponse before;
  Clock::time_point looked = Clock::now();
  for (uint64_t look = 0; options.looks == 0 || look < options.looks; ++look) {
    if (look > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(interval));
    auto devices = ListDevices(invocation.client());
    if (devices.status().code() == Code::kCancelled) return 0;  // interrupted: that is its end
    if (!devices.ok()) return devices.status();
    const Clock::time_point now = Clock::now();
    if (invocation.json()) {
      PrintLines(*devices);
    } else {
      PrintTop(*devices, before, std::chrono::duration<double>(now - looked).count());
    }
    if (!OutputWorks()) return 0;
    before = std::move(devices).value();
    looked = now;
  }
  return 0;
}

}  // namespace

void AddDeviceCommands(CLI::App* app, Command* chosen) {
  CLI::App* device = app->add_subcommand("device", "Devices: what jobs run on.");
  device->require_subcommand(1);
  auto watch = std::make_shared<WatchOptions>();
  CLI::App* list = device->add_subcommand(
      "list", "List the devices.\nExample: wasmburstctl device list --watch");
  AddWatchFlags(list, watch.get());
  list->callback([chosen, watch] {
    chosen->run = [watch](Invocation& invocation) { return ListDevices(invocation, *watch); };
  });
  device
      ->add_subcommand("find",
                       "Look for GPUs that were not there when the daemon started, and list all "
                       "devices.\nExample: wasmburstctl device find")
      ->callback([chosen] { chosen->run = FindDevices; });
  AddDeviceGateCommands(device, chosen);
  AddDeviceBurstsCommand(device, chosen);
  auto name = std::make_shared<std::string>();
  CLI::App* get = device->add_subcommand(
      "get", "Show a device: its state, heat and counts.\nExample: wasmburstctl device get cuda0");
  get->add_option("name", *name, "devices/cpu0, or cpu0")->required();
  get->callback([chosen, name] {
    chosen->run = [name](Invocation& invocation) { return GetDevice(invocation, *name); };
  });
  auto options = std::make_shared<TopOptions>();
  CLI::App* top = device->add_subcommand(
      "top",
      "Show what the devices do, again and again; -o jsonl: a line for each device and look.\n"
      "Example: wasmburstctl device top --interval 500ms --count 20 -o jsonl");
  top->add_option("--interval", options->interval, "from look to look")->default_val("1s");
  top->add_option("--count", options->looks, "looks; 0: until it is interrupted");
  top->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return Top(invocation, *options); };
  });
}

}  // namespace wb::cli
