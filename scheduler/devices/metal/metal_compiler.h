#pragma once

// Kernel text to a pipeline by Metal's compiler, which is part of the system and works in a process
// of its own. It was seen to hang. So every wait has a bound, and a compile that does not end is
// left behind.

#import <Metal/Metal.h>

#include <chrono>
#include <memory>
#include <string>

#include "compiler/base/bytes.h"
#include "compiler/base/mutex.h"
#include "scheduler/base/lru.h"
#include "scheduler/devices/metal/metal_gpu.h"

namespace wb {

using MetalKernel = Ref<id<MTLComputePipelineState>>;

class MetalCompiler {
 public:
  MetalCompiler(MetalGpuRef gpu, const MetalSettings& settings);

  // Makes the MetalBinary of the text. The pipeline is remembered for the Load that follows. Any
  // thread. COMPILE_FAILED with the compiler's first lines, COMPILE_TIMEOUT.
  Result<Bytes> Build(const std::string& text) const;
  // Any thread. COMPILE_FAILED, COMPILE_TIMEOUT.
  Result<MetalKernel> Load(ByteView binary) const;

 private:
  struct Memory {
    Mutex mutex;
    Lru<std::string, MetalKernel> kernels WB_GUARDED_BY(mutex){8};  // by digest of the text
  };

  MetalGpuRef gpu_;
  std::string work_directory_;
  std::chrono::milliseconds max_time_;
  uint64_t max_text_bytes_;
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

}  // namespace wb
