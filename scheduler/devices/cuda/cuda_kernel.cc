#include "scheduler/devices/cuda/cuda_kernel.h"

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/devices/cuda/cubins.h"
#include "scheduler/devices/dispatch_shape.h"

namespace wb {
namespace {

// Numbers of the driver's interface (cuda.h).
constexpr int kMostThreads = 0;
constexpr int kSharedOfBlock = 1;
constexpr int kLocalOfLane = 3;
constexpr int kRegistersOfLane = 4;
constexpr int kMostSharedBytes = 8;
constexpr int kSharedShare = 9;  // of a processor's memory that is a cache or shared, in percent
constexpr int kFirstOfContext = 700;  // results from here on: the context is dead
constexpr int kLinksCubins = 0;

constexpr const char* kReorder = "wb_reorder";
constexpr uint32_t kReorderBlock = 128;      // threads
constexpr uint64_t kReorderTiles = 16;       // of a thread's, where a group has so many
constexpr uint32_t kMostBlocksDown = 65535;  // in a grid's second direction

// The kernel's fault, or the context's.
Status Refused(const CudaDriver& driver, const char* what, const char* call, int result) {
  if (result >= kFirstOfContext) return driver.Error(call, result);
  return {Reason::kCompileFailed, std::string("The kernel could not be ") + what + ": " +
                                      driver.Error(call, result).message()};
}

// Several cubins made one, which lives as long as this.
class Linking {
 public:
  explicit Linking(const CudaDriver& driver) : driver_(driver) {}
  Linking(const Linking&) = delete;
  Linking& operator=(const Linking&) = delete;
  ~Linking() {
    if (link_ != nullptr) driver_.link_destroy(link_);
  }

  Status Run(const std::vector<ByteView>& cubins) {
    const int created = driver_.link_create(0, nullptr, nullptr, &link_);
    if (created != 0) return Refused(driver_, "linked", "link_create", created);
    for (const ByteView cubin : cubins) {
      // It is only read.
      const int added = driver_.link_add(link_, kLinksCubins, const_cast<uint8_t*>(cubin.data()),
                                         cubin.size(), "chunk", 0, nullptr, nullptr);
      if (added != 0) return Refused(driver_, "linked", "link_add", added);
    }
    size_t bytes = 0;
    const int completed = driver_.link_complete(link_, &cubin_, &bytes);
    return completed == 0 ? Status() : Refused(driver_, "linked", "link_complete", completed);
  }
  const void* cubin() const { return cubin_; }

 private:
  const CudaDriver& driver_;
  void* link_ = nullptr;
  void* cubin_ = nullptr;
};

}  // namespace

Result<CudaKernelRef> CudaKernel::Load(CudaContextRef context, ByteView cubins,
                                       const Shape& shape) {
  std::shared_ptr<CudaKernel> kernel(new CudaKernel(std::move(context)));
  WB_TRY(kernel->LoadModule(cubins, shape));
  const CudaDriver& driver = kernel->context_->driver();
  int most_threads = 0;
  WB_CUDA_TRY(driver, function_attribute, (&most_threads, kMostThreads, kernel->function_));
  kernel->most_threads_ = static_cast<uint32_t>(most_threads);
  kernel->group_bytes_ = shape.group_bytes;
  kernel->lane_bytes_ = shape.lane_bytes;
  WB_TRY(kernel->AllowSharedMemory());
  WB_TRY(kernel->ChooseBlock(shape.lane_bytes == 0 ? shape.block_threads : kernel->most_threads_));
  WB_TRY(kernel->FindFacts(cubins.size()));
  return CudaKernelRef(std::move(kernel));
}

Status CudaKernel::LoadModule(ByteView binary, const Shape& shape) {
  WB_ASSIGN(const std::vector<ByteView> cubins, SplitCubins(binary));
  const CudaDriver& driver = context_->driver();
  Linking linking(driver);
  // The driver is not told how long the image is, but a cubin says it itself: it is ELF.
  const void* image = binary.data();
  if (cubins.size() > 1) {
    WB_TRY(linking.Run(cubins));
    image = linking.cubin();
  }
  int result = context_->WithIdleGpu(
      [&] { return driver.module_load(&handle_, image, 0, nullptr, nullptr); });
  if (result == 0) result = driver.module_function(&function_, handle_, shape.entry);
  if (result == 0 && shape.tiled) result = driver.module_function(&reorder_, handle_, kReorder);
  return result == 0 ? Status() : Refused(driver, "loaded", "module_load", result);
}

// More than a kernel has unasked. A block has no more groups than there is memory for; where lanes
// have bytes of their own, the kernel is compiled for a block that fits, of which a processor is to
// hold several.
Status CudaKernel::AllowSharedMemory() {
  if (group_bytes_ == 0 && lane_bytes_ == 0) return {};
  const uint32_t shared = context_->shared_bytes();
  if (group_bytes_ != 0) {
    most_threads_ = std::min(most_threads_, shared / group_bytes_ * abi::GROUP_LANES);
  }
  const uint32_t bytes = SharedBytes(most_threads_);
  if (bytes == 0 || bytes > shared) {
    return {Reason::kCompileFailed,
            "A block's bytes are more than the [" + std::to_string(shared) + "] this GPU shares."};
  }
  WB_CUDA_TRY(context_->driver(), set_function_attribute,
              (function_, kMostSharedBytes, static_cast<int>(bytes)));
  if (lane_bytes_ != 0) {
    WB_CUDA_TRY(context_->driver(), set_function_attribute, (function_, kSharedShare, 100));
  }
  return {};
}

// Of the blocks that hold as many lanes, the largest.
Status CudaKernel::ChooseBlock(uint32_t most) {
  uint32_t most_lanes = 0;
  const auto is_whole = [](uint32_t block) { return block % abi::GROUP_LANES == 0; };
  for (uint32_t block = most; block != 0 && (block == most || is_whole(block)); block /= 2) {
    int blocks = 0;
    WB_CUDA_TRY(context_->driver(), blocks_per_processor,
                (&blocks, function_, static_cast<int>(block), SharedBytes(block)));
    const uint32_t lanes = static_cast<uint32_t>(std::max(blocks, 0)) * block;
    if (lanes <= most_lanes && usual_block_ != 0) continue;
    most_lanes = lanes;
    usual_block_ = block;
  }
  facts_.lanes_per_processor = most_lanes;
  return {};
}

Status CudaKernel::FindFacts(uint64_t code_bytes) {
  const CudaDriver& driver = context_->driver();
  int registers = 0, local_bytes = 0, shared_bytes = 0;
  WB_CUDA_TRY(driver, function_attribute, (&registers, kRegistersOfLane, function_));
  WB_CUDA_TRY(driver, function_attribute, (&local_bytes, kLocalOfLane, function_));
  WB_CUDA_TRY(driver, function_attribute, (&shared_bytes, kSharedOfBlock, function_));
  facts_.code_bytes = code_bytes;
  facts_.registers = static_cast<uint32_t>(registers);
  facts_.local_bytes = static_cast<uint32_t>(local_bytes);
  facts_.block_threads = BlockFor(0);
  facts_.shared_bytes = static_cast<uint32_t>(shared_bytes) + SharedBytes(facts_.block_threads);
  return {};
}

uint32_t CudaKernel::BlockFor(uint32_t wanted) const {
  if (lane_bytes_ != 0) return usual_block_;
  const uint32_t block = IsBlock(wanted) ? wanted : usual_block_;
  return std::min(block, std::max(most_threads_ / abi::GROUP_LANES, 1u) * abi::GROUP_LANES);
}

Status CudaKernel::Reorder(const MemoryRows& memories, bool into_tiles, void* stream) const {
  MemoryRows of = memories;
  uint64_t tiles = of.rows / abi::TILE_WORDS;
  uint32_t into = into_tiles ? 1 : 0;
  if (tiles == 0 || of.groups == 0) return {};
  const uint64_t of_block = kReorderBlock / abi::GROUP_LANES * kReorderTiles;
  const auto across = static_cast<uint32_t>((tiles + of_block - 1) / of_block);
  const uint32_t down = std::min(of.groups, kMostBlocksDown);
  void* arguments[] = {&of.address, &of.group_words, &tiles, &of.groups, &into};
  WB_CUDA_TRY(context_->driver(), launch,
              (reorder_, across, down, 1, kReorderBlock, 1, 1, 0, stream, arguments, nullptr));
  return {};
}

CudaKernel::~CudaKernel() {
  if (handle_ == nullptr || !context_->Enter().ok()) return;
  context_->WithIdleGpu([this] { return context_->driver().module_unload(handle_); });
}

}  // namespace wb
