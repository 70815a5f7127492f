#pragma once

// Kernels of the race that are built ahead, by NVRTC where no GPU need be, so that a GPU's time
// goes to launches: in a folder, NAME.kernel has a pipeline's binary of our text, NAME.cuda the
// code of the hand-written one. A file begins with the digest of what it was made of. Errors end
// the program with the reason.

#include <string>

#include "bench/race/kernel_list.h"
#include "bench/race/race_rounds.h"
#include "compiler/compiler.h"
#include "scheduler/devices/cuda/cuda_device.h"

namespace wb::bench {

// Builds both for a GPU of compute capability 9.0 into `settings.built`. {"kernel", "seconds"}.
nlohmann::ordered_json BuildAhead(const RaceKernel& kernel, const RaceSettings& settings);

// The pipeline's best build, or the full one where it has no better: of `settings.built`, which
// must be of this very text, or built now where that names no folder.
Bytes PipelineOf(const RaceKernel& kernel, const RaceSettings& settings, Device& device,
                 const LoweredModule& module);
// Likewise the code of the kernels by hand.
std::string HandCodeOf(const RaceKernel& kernel, const RaceSettings& settings);

}  // namespace wb::bench
