#pragma once

// Kernel text to machine code for one kind of NVIDIA GPU, by NVRTC, which is opened at run time.

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/compiler.h"

namespace wb {

struct Nvrtc;

class CudaCompiler {
 public:
  // `path`: NVRTC's library, or empty: the loader's own search, then the usual folder of CUDA.
  // `capability`: 90 for compute capability 9.0. CONFIG_INVALID with every place looked at.
  static Result<CudaCompiler> Find(const std::string& path, uint32_t capability);

  // What shapes the code besides the text: NVRTC's version, GPU, flags, prelude.
  std::string target() const;

  // A cubin whose kernel is `wb_entry`. COMPILE_FAILED with the compiler's first lines. From any
  // thread.
  Result<Bytes> Build(const KernelSource& source) const;

 private:
  std::shared_ptr<const Nvrtc> nvrtc_;
  std::string version_;  // "13.0"
  std::string arch_;     // "sm_90"
};

}  // namespace wb
