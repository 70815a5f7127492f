// What each policy's thermal governor does with a record of a device's heat:
//
//   replay_heat RECORD.csv [MINUTES [TEMP_HIGH [TEMP_LOW]]]
//
// RECORD.csv: "seconds,celsius,watts,limit", as bench/policies.sh writes them into the folder
// that RECORDS names. MINUTES (10): where the record is shorter its last third goes on. A row for
// each policy, with the thresholds of a device's settings (80 and 70 C) unless others are named.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/scheduling/heat_replay.h"

int main(int argc, char** argv) {
  wb::ThermalSettings settings;
  const double minutes = argc > 2 ? std::atof(argv[2]) : 10;
  if (argc > 3) settings.temp_high = static_cast<float>(std::atof(argv[3]));
  if (argc > 4) settings.temp_low = static_cast<float>(std::atof(argv[4]));
  if (argc < 2 || argc > 5 || !(minutes > 0)) {
    std::fputs("use: replay_heat RECORD.csv [MINUTES [TEMP_HIGH [TEMP_LOW]]]\n", stderr);
    return 2;
  }
  std::ifstream file(argv[1]);
  if (!file) {
    std::fprintf(stderr, "replay_heat: the record [%s] cannot be read\n", argv[1]);
    return 1;
  }
  const auto record = wb::bench::ReadHeatRecord(file);
  if (!record.ok()) {
    std::fprintf(stderr, "replay_heat: [%s]: %s\n", argv[1], record.status().message().c_str());
    return 1;
  }
  std::printf("replayed: %.0f minutes of a record of %.0f s, rests from %.0f C to %.0f C\n",
              minutes, record->back().seconds - record->front().seconds,
              static_cast<double>(settings.temp_high), static_cast<double>(settings.temp_low));
  std::printf("%-11s %8s %8s %10s %8s %8s %8s %8s %8s\n", "policy", "works %", "bursts",
              "longest s", "hot s", "power s", "other s", "at C", "kJ");
  for (const auto policy :
       {wb::DevicePolicy::kBurst, wb::DevicePolicy::kContinuous, wb::DevicePolicy::kPersistent,
        wb::DevicePolicy::kQuiet, wb::DevicePolicy::kSeed}) {
    settings.policy = policy;
    const wb::bench::HeatReplay replay = wb::bench::ReplayHeat(*record, settings, 60 * minutes);
    const double hot = replay.Rested(wb::RestCause::kHot);
    const double power = replay.Rested(wb::RestCause::kPower);
    std::printf("%-11s %8.1f %8llu %10.1f %8.1f %8.1f %8.1f %8.0f %8.1f\n",
                std::string(wb::PolicyName(policy)).c_str(), replay.worked / minutes / 0.6,
                static_cast<unsigned long long>(replay.bursts), replay.longest_rest, hot, power,
                60 * minutes - replay.worked - hot - power,
                static_cast<double>(replay.hottest_worked), replay.joules / 1000);
  }
  return 0;
}
