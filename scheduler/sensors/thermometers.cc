#include "scheduler/sensors/thermometers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kDrivers = {"coretemp",    "k10temp",     "k8temp",
                                                      "zenpower",    "via_cputemp", "cpu_thermal",
                                                      "soc_thermal", "scmi_sensors"};
constexpr std::array<std::string_view, 5> kZones = {"x86_pkg_temp", "cpu-thermal", "cpu_thermal",
                                                    "soc-thermal", "soc_thermal"};

template <size_t N>
bool IsOneOf(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Entries of a folder whose names begin and end so, sorted.
std::vector<std::string> List(const std::string& folder, std::string_view begin,
                              std::string_view end = "") {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), last; !error && entry != last;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(begin) && name.ends_with(end)) paths.push_back(entry->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> OfHwmon(const std::string& chip) {
  const std::vector<std::string> inputs = List(chip, "temp", "_input");
  std::vector<std::string> dies;
  for (const std::string& input : inputs) {
    const std::string label = input.substr(0, input.rfind('_')) + "_label";
    if (ReadLine(label) == "Tdie") dies.push_back(input);
  }
  return dies.empty() ? inputs : dies;
}

}  // namespace

std::string ReadLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<int64_t> ReadNumber(const std::string& path) {
  std::ifstream file(path);
  int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

std::vector<std::string> FindThermometers(const std::string& root) {
  std::vector<std::string> found;
  for (const std::string& chip : List(root + "/sys/class/hwmon", "hwmon")) {
    if (!IsOneOf(kDrivers, ReadLine(chip + "/name"))) continue;
    for (std::string& input : OfHwmon(chip)) found.push_back(std::move(input));
  }
  if (!found.empty()) return found;
  for (const std::string& zone : List(root + "/sys/class/thermal", "thermal_zone")) {
    if (IsOneOf(kZones, ReadLine(zone + "/type"))) found.push_back(zone + "/temp");
  }
  return found;
}

std::vector<EnergyCounter> FindEnergyCounters(const std::string& root) {
  std::vector<EnergyCounter> counters;
  for (const std::string& zone : List(root + "/sys/class/powercap", "intel-rapl:")) {
    if (!ReadLine(zone + "/name").starts_with("package")) continue;  // not the parts of packages
    EnergyCounter counter;
    counter.microjoules = zone + "/energy_uj";
    counter.wraps_at = static_cast<uint64_t>(
        std::max<int64_t>(0, ReadNumber(zone + "/max_energy_range_uj").value_or(0)));
    if (const auto limit = ReadNumber(zone + "/constraint_0_power_limit_uw"); limit && *limit > 0) {
      counter.watts_limit = static_cast<float>(*limit) / 1e6F;
    }
    counters.push_back(std::move(counter));
  }
  return counters;
}

std::vector<std::string> FindThrottleCounters(const std::string& root) {
  std::vector<std::string> counters;
  std::set<int64_t> packages;
  for (const std::string& cpu : List(root + "/sys/devices/system/cpu", "cpu")) {
    const auto package = ReadNumber(cpu + "/topology/physical_package_id");
    if (!package || !packages.insert(*package).second) continue;
    const std::string counter = cpu + "/thermal_throttle/package_throttle_count";
    if (ReadNumber(counter)) counters.push_back(counter);
  }
  return counters;
}

}  // namespace wb
