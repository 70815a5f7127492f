#pragma once

// Where the cuda engine's libraries are. Empty: where the loader looks, then the usual places.

#include <string>

namespace wb {

struct CudaLibraries {
  std::string driver;  // libcuda.so.1
  std::string nvrtc;   // libnvrtc.so
  std::string nvml;    // libnvidia-ml.so.1; without it there is no thermometer
  // libnvToolsExt.so.1, for ranges that tools show; "auto": where the loader looks; empty: none.
  std::string nvtx = {};
};

}  // namespace wb
