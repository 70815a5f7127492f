#pragma once

// NvtxDevice: a device whose launches NVIDIA's tools (nsys, ncu) show by name: a range for each
// job, for each burst from its beginning to its report, and for the call that launches it. It does
// nothing else, and where the library is not wanted there is none.

#include <cstdint>
#include <memory>
#include <string>

#include "scheduler/devices/device.h"

namespace wb {

// Functions of libnvToolsExt.so.1.
struct NvtxLibrary {
  int (*push)(const char* text) = nullptr;
  int (*pop)() = nullptr;
  uint64_t (*start)(const char* text) = nullptr;
  void (*end)(uint64_t range) = nullptr;

  // `path`: as CudaLibraries::nvtx, and not empty. CONFIG_INVALID: it is not there, or lacks one.
  static Result<NvtxLibrary> Open(const std::string& path);
};

// The range of a job is open from its first burst on until a burst of another job begins.
std::unique_ptr<Device> WithRanges(std::unique_ptr<Device> device, const NvtxLibrary& library);

}  // namespace wb
