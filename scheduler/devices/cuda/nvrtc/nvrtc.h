#pragma once

// NVRTC, opened at run time: a table of its functions, and one compilation.

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

struct Nvrtc {
#define WB_NVRTC(member, name, parameters) int(*member) parameters = nullptr;
#include "scheduler/devices/cuda/nvrtc/nvrtc.def"
#undef WB_NVRTC

  std::string place;    // where it was found
  std::string version;  // "13.0"
};

// The first of `places` that opens. CONFIG_INVALID with all of them, or with what it lacks.
Result<Nvrtc> OpenNvrtc(const std::vector<std::string>& places);

// A text that includes nothing but <metal_stdlib>, whose text is `prelude`.
struct NvrtcTask {
  std::string text;
  std::string prelude;
  std::vector<std::string> flags;
};

// The cubin's bytes; COMPILE_FAILED with the compiler's log.
Result<std::string> Compile(const Nvrtc& nvrtc, const NvrtcTask& task);

}  // namespace wb
