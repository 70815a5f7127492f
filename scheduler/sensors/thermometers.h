#pragma once

// Which files of a Linux machine are its processors' thermometers and counters of energy. Found
// once; `root` stands before /sys and /proc, so that a test can put a tree of its own there.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wb {

// Of a thermometer that says anything else nothing is believed.
constexpr bool IsBelievable(float celsius) { return celsius >= 1 && celsius <= 150; }

// The whole number at the beginning of a file, if there is one.
std::optional<int64_t> ReadNumber(const std::string& path);
// The first line of a file, or "".
std::string ReadLine(const std::string& path);

// Files in thousandths of a degree: what hwmon's drivers of processors measure (of AMD's the die
// rather than what the fans are told), else the thermal zones of processors. The board's
// thermometer (acpitz) is none of them.
std::vector<std::string> FindThermometers(const std::string& root);

// A package's counter of energy, as powercap has it.
struct EnergyCounter {
  std::string microjoules;  // file
  uint64_t wraps_at = 0;    // its highest value
  std::optional<float> watts_limit;
};
std::vector<EnergyCounter> FindEnergyCounters(const std::string& root);

// Files that count how often a package was throttled.
std::vector<std::string> FindThrottleCounters(const std::string& root);

}  // namespace wb
