#pragma once

// ResidentKernel: one kernel stays on the GPU, fills it, and gets its launches from a mailbox in
// the GPU's memory, the board (compiler/prelude/cuda/board.h, resident.cu). A launch costs two
// copies. A free block of the kernel takes the next block of the launch. With nothing to do the
// blocks sleep. The kernel leaves for a launch of another pipeline or of blocks of another size,
// for calls of the driver that wait until no kernel runs (CudaContext::WithIdleGpu), and after a
// while without launches.
//
// The host waits by looking at words that the GPU writes into the host's memory, less and less
// often.

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "compiler/base/mutex.h"
#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/cuda_dispatch.h"
#include "scheduler/devices/cuda/launch_transport.h"

namespace wb {

#define WB_BOARD_PARAMS abi::Params
#include "compiler/prelude/cuda/board.h"
#undef WB_BOARD_PARAMS

class ResidentKernel final : public LaunchTransport {
 public:
  static Result<std::unique_ptr<LaunchTransport>> Create(CudaContextRef context);
  ~ResidentKernel() override;

  Status Place(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) override;
  Status Start(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) override;
  void Drop(uint64_t number) override;
  Status AwaitEnd(uint64_t number) override;
  void RecordNext(uint64_t) override {}
  Result<std::chrono::nanoseconds> AwaitRecords(uint64_t number, CudaDispatch& dispatch) override;
  LaneFuel lane_fuel(uint64_t number) const override;
  uint64_t control(uint64_t number) const override;
  void* placed(uint64_t number) const override { return placed_events_[number % kSlots]; }
  void RecordIdle() override;

 private:
  // Pinned memory of the host.
  struct Shared {
    std::array<WbLaunchEnd, kSlots> ends;   // the GPU writes them
    std::array<WbBoardSlot, kSlots> slots;  // as they are copied to the GPU
    uint32_t leaves;
    uint32_t stays;  // 0
  };

  explicit ResidentKernel(CudaContextRef context) : context_(std::move(context)) {}
  Status Fill();
  Status Copy(const void* from, uint64_t board_at, size_t bytes) const;
  Status Enter(const CudaDispatch::Call& call, uint32_t number) WB_REQUIRES(life_);
  Status Leave() WB_REQUIRES(life_);
  int WithIdleGpu(const std::function<int()>& call);
  bool HasLaunches();
  Status LookAfter() const;
  void Complete(uint64_t number);

  const CudaContextRef context_;
  CudaBuffer board_;
  Shared* shared_ = nullptr;
  void* stream_ = nullptr;  // where the kernel is
  std::array<void*, kSlots> placed_events_{};
  void* downloaded_ = nullptr;
  uint64_t last_end_ = 0;  // by the GPU's clock; of the thread that waits

  Mutex life_;                                   // of the kernel: it comes and goes under this lock
  std::atomic<std::thread::id> quiet_thread_{};  // that holds the lock for a call of WithIdleGpu()
  void* function_ WB_GUARDED_BY(life_) = nullptr;  // of the one that is there; else nullptr
  uint32_t its_block_threads_ WB_GUARDED_BY(life_) = 0;

  Mutex mutex_;
  CondVar ended_;
  // Slots whose launch was placed and has not ended.
  std::array<bool, kSlots> in_flight_ WB_GUARDED_BY(mutex_){};
};

}  // namespace wb
