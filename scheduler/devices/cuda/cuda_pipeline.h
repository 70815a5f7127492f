#pragma once

// A kernel on the GPU and the image its instances begin with.

#include <memory>

#include "compiler/compiler.h"
#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/device.h"

namespace wb {

class CudaPipeline final : public Pipeline {
 public:
  // `binary`: cubins.h; `entry`: the kernel's name in it; `block_threads`: at most. COMPILE_FAILED
  // when the bytes are no kernel of ours.
  static Result<std::shared_ptr<const CudaPipeline>> Load(
      CudaContextRef context, std::shared_ptr<const LoweredModule> module, ByteView binary,
      const char* entry, uint32_t block_threads);
  ~CudaPipeline() override;

  const LoweredModule& module() const { return *module_; }
  void* function() const { return function_; }
  uint64_t image() const { return image_.address(); }
  uint32_t most_threads() const { return most_threads_; }  // of a block
  // The size of blocks for a launch that names none. Of the sizes up to the one allowed, it is the
  // one of which a processor's registers hold most lanes. Where they leave room for 11 warps,
  // blocks of four warps would leave out three.
  uint32_t usual_block() const { return usual_block_; }
  uint32_t registers() const { return registers_; }      // per thread
  uint32_t local_bytes() const { return local_bytes_; }  // per thread

 private:
  CudaPipeline(CudaContextRef context, std::shared_ptr<const LoweredModule> module)
      : context_(std::move(context)), module_(std::move(module)) {}
  Status Fill(ByteView binary, const char* entry, uint32_t block_threads);
  Status ChooseBlock(uint32_t most);
  Status LoadModule(ByteView binary, const char* entry);

  CudaContextRef context_;
  std::shared_ptr<const LoweredModule> module_;
  void* handle_ = nullptr;
  void* function_ = nullptr;
  CudaBuffer image_;
  uint32_t most_threads_ = 0;
  uint32_t usual_block_ = 0;
  uint32_t registers_ = 0;
  uint32_t local_bytes_ = 0;
};
using CudaPipelineRef = std::shared_ptr<const CudaPipeline>;

}  // namespace wb
