#pragma once

// How fast simulated GPUs are with so many lanes a processor in blocks of so many threads.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "tests/scheduler/simulation/simulated_gpu.h"

namespace wb::test {

// Best with `best` lanes a processor, where it is `gain` times as fast as with all of them.
inline SimulatedGpu::Surface PeakSurface(double best, double gain) {
  return [best, gain](uint32_t each, uint32_t) {
    const double away = std::abs(std::log2(each / best)) / std::log2(2048 / best);
    return 1e12 * std::pow(gain, -std::min(away, 4.0));
  };
}
inline double FlatSurface(uint32_t, uint32_t) { return 1e12; }
inline double FallingSurface(uint32_t each, uint32_t) {
  return 1e12 * std::pow(each / 2048.0, 0.6);
}
// Slightly worse with fewer, then all at once their memory fits.
inline double CliffSurface(uint32_t each, uint32_t) {
  return each > 600 ? 9e11 + each * 5e7 : 2.5e12 * each / 600;
}
// What a histogram of bytes did on an H200, by lanes a processor.
inline double HistogramSurface(uint32_t each, uint32_t) {
  constexpr std::pair<double, double> kSeen[] = {{64, 8e11},     {128, 1.26e12},  {256, 1.06e12},
                                                 {512, 4.02e11}, {1024, 2.79e11}, {2048, 2.83e11}};
  for (size_t i = 1; i < std::size(kSeen); ++i) {
    const auto& [low, low_rate] = kSeen[i - 1];
    const auto& [high, high_rate] = kSeen[i];
    if (each <= high) return low_rate + (high_rate - low_rate) * (each - low) / (high - low);
  }
  return kSeen[5].second;
}
// What bcrypt did on an H100, whose tables of 4 KiB an instance then fit the first caches.
inline double TablesSurface(uint32_t each, uint32_t) {
  return each > 256   ? 3.05e11
         : each > 128 ? 3.48e11
         : each > 64  ? 4.6e11
         : each > 32  ? 7.58e11
                      : 1.428e12;
}
inline double SmallBlocksSurface(uint32_t each, uint32_t block) {
  return FlatSurface(each, block) * (block == 64 ? 1.2 : block == 256 ? 0.9 : 1);
}

}  // namespace wb::test
