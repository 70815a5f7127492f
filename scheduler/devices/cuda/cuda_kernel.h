#pragma once

// A kernel on the GPU: what a launch of it needs.

#include <cstdint>
#include <memory>

#include "compiler/abi/lane.h"
#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/pipeline_facts.h"

namespace wb {

// The memories of groups that have the same room for them.
struct MemoryRows {
  uint64_t address = 0;      // of the first one's
  uint64_t group_words = 0;  // from a group to the next
  uint32_t groups = 0;
  uint64_t rows = 0;  // of each: one word of each lane
};

class CudaKernel {
 public:
  struct Shape {
    const char* entry = "";      // the kernel's name
    uint32_t block_threads = 0;  // at most
    uint32_t group_bytes = 0;    // of shared memory, that a group of lanes has
    uint32_t lane_bytes = 0;     // ... and that a lane has; not 0: a block has all threads it may
    bool tiled = false;          // Occupancy::tiled
  };
  // `cubins`: cubins.h.
  // COMPILE_FAILED when the bytes are no kernel of ours. On a thread that has entered the context.
  static Result<std::shared_ptr<const CudaKernel>> Load(CudaContextRef context, ByteView cubins,
                                                        const Shape& shape);
  CudaKernel(const CudaKernel&) = delete;
  CudaKernel& operator=(const CudaKernel&) = delete;
  ~CudaKernel();

  void* function() const { return function_; }
  bool tiled() const { return reorder_ != nullptr; }
  // Of a tiled one: puts the words of memories into tiles, or back into rows, as a launch of its
  // own.
  Status Reorder(const MemoryRows& memories, bool into_tiles, void* stream) const;
  // A block for a launch that asks for one of `wanted` threads; 0, or what is no block: the usual
  // one. A launch fails with a block for which the kernel's registers leave no room.
  uint32_t BlockFor(uint32_t wanted) const;
  // Shared memory that a launch gives a block of so many threads.
  uint32_t SharedBytes(uint32_t block_threads) const {
    return block_threads / abi::GROUP_LANES * group_bytes_ + block_threads * lane_bytes_;
  }
  const PipelineFacts& facts() const { return facts_; }

 private:
  explicit CudaKernel(CudaContextRef context) : context_(std::move(context)) {}
  Status LoadModule(ByteView cubins, const Shape& shape);
  Status ChooseBlock(uint32_t most);
  Status AllowSharedMemory();
  Status FindFacts(uint64_t code_bytes);

  CudaContextRef context_;
  void* handle_ = nullptr;
  void* function_ = nullptr;
  void* reorder_ = nullptr;    // `wb_reorder` (compiler/prelude/cuda/reorder.cu)
  uint32_t most_threads_ = 0;  // of a block
  uint32_t group_bytes_ = 0;   // of shared memory
  uint32_t lane_bytes_ = 0;    // likewise
  // The size of blocks for a launch that names none. Of the sizes up to the one allowed, it is the
  // one of which a processor's registers hold most lanes. Where they leave room for 11 warps,
  // blocks of four warps would leave out three.
  uint32_t usual_block_ = 0;
  PipelineFacts facts_;
};

using CudaKernelRef = std::shared_ptr<const CudaKernel>;

}  // namespace wb
