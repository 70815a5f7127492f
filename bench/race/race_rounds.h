#pragma once

// One kernel of the race on a device of this process, and beside it the ones written by hand in
// CUDA. Errors end the program with the reason.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/race/kernel_list.h"

namespace wb::bench {

struct RaceSettings {
  std::string folder;
  uint32_t rounds = 3;
  uint32_t lanes = 0;    // of a GPU, at most; 0: what the list says
  double seconds = 0.5;  // that a measurement on processors takes at least
  std::string built;     // a folder of kernels that were built ahead; empty: they are built now
  bool joules = false;   // several seconds more for each row of a GPU
  std::string results;   // a folder for files of digests; empty: none
};

// {"kernel", "device", "lanes", "digests", "rows": [{"what", "variant", "instances", "seconds": [of
// each round], ...}]}; "error" where digests differ or instances did not return.
nlohmann::ordered_json RaceOnGpu(const RaceKernel& kernel, const RaceSettings& settings);
// `engine`: "cpu" or "interpreter". The interpreter runs the kernel's `check` instances alone.
nlohmann::ordered_json RaceOnProcessors(const RaceKernel& kernel, const RaceSettings& settings,
                                        const std::string& engine);

// {"copy_bytes_per_s"}: bytes read and written by copies within the GPU's memory.
nlohmann::ordered_json MeasureCopies();

}  // namespace wb::bench
