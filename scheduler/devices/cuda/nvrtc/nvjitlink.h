#pragma once

// nvJitLink, opened at run time: NVIDIA's linker of relocatable cubins, a table of its functions,
// and one link. (docs.nvidia.com/cuda/nvjitlink)

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

struct NvJitLink {
#define WB_NVJITLINK(member, name, parameters) int(*member) parameters = nullptr;
#include "scheduler/devices/cuda/nvrtc/nvjitlink.def"
#undef WB_NVJITLINK

  std::string place;    // where it was found
  std::string version;  // "13.0"
};

// Where the linker of the NVRTC that was found at `nvrtc_place` may be. `version` is NVRTC's: a
// linker reads the cubins of its own major version.
std::vector<std::string> NvJitLinkPlaces(const std::string& nvrtc_place,
                                         const std::string& version);

// The first of `places` that opens. CONFIG_INVALID with all of them, or with what it lacks.
Result<NvJitLink> OpenNvJitLink(const std::vector<std::string>& places);

// One cubin of several, for the GPU named ("sm_90"). The linker is shown few of the calls
// (fewer_calls.h), or all where what it made of few is not as expected. COMPILE_FAILED with its
// log.
Result<std::string> LinkCubins(const NvJitLink& linker, const std::string& arch,
                               const std::vector<std::string>& cubins);

}  // namespace wb
