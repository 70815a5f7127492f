#pragma once

// macOS's thermal states (NSProcessInfo.thermalState): their names, and what follows from each, for
// the governor's bursts and for the slices of a Mac's GPU. The one table of them. Pure.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scheduler/sensors/telemetry.h"

namespace wb {

struct ThermalState {
  std::string_view name;  // Apple's
  HeatLevel level;        // to the governor
  // 0: slices are as long as ever, one behind the other. Else they are short, and so many times a
  // slice's length lies between two of them.
  uint32_t slice_rests;
};

inline constexpr std::array<ThermalState, 4> kThermalStates = {{
    {"nominal", HeatLevel::kCool, 0},
    {"fair", HeatLevel::kWarm, 0},
    {"serious", HeatLevel::kSlowed, 1},
    {"critical", HeatLevel::kHot, 4},
}};

// By its number. One that Apple adds later is taken as the worst that is known.
inline const ThermalState& ThermalStateOf(uint64_t number) {
  return kThermalStates[std::min<uint64_t>(number, kThermalStates.size() - 1)];
}

}  // namespace wb
