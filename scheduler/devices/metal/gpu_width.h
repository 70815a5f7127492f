#pragma once

// How many threads a Mac's GPU holds, which Metal does not tell. Pure.

#include <cstdint>

namespace wb {

// Apple says of the M1 that its 8 cores hold 24,576; UNMEASURED of everything else.
inline constexpr uint32_t kThreadsOfACore = 3072;

// Families as MTLGPUFamily numbers them, with the fewest cores that such a Mac was sold with.
struct GpuFamily {
  int64_t family;
  uint32_t least_cores;
};
inline constexpr GpuFamily kGpuFamilies[] = {
    {1007, 7},  // M1
    {1008, 8},  // M2
    {1009, 8},  // M3, M4
};

// `cores` as the registry of devices has it. Where the registry does not say (0), or says nonsense,
// the family's fewest cores are taken.
constexpr uint32_t ThreadsOfGpu(uint32_t cores, int64_t family) {
  constexpr uint32_t kMostCores = 1024;
  if (cores == 0 || cores > kMostCores) {
    for (const GpuFamily& known : kGpuFamilies) {
      if (known.family <= family || &known == kGpuFamilies) cores = known.least_cores;
    }
  }
  return cores * kThreadsOfACore;
}

}  // namespace wb
