#pragma once

// One GPU's context in this process, and memory on it.
//
// Threads: any, but a thread calls Enter() before it uses the driver on this GPU.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/bytes.h"
#include "scheduler/devices/cuda/driver.h"

namespace wb {

// Of events: CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING.
inline constexpr unsigned kBlockingWait = 1;
inline constexpr unsigned kWithoutTiming = 2;

class CudaContext {
 public:
  // The primary context of the GPU numbered `ordinal`; waits block instead of spinning.
  // CONFIG_INVALID when there is no such GPU; its detail "gpus" is how many there are.
  // `low_priority`: launches get the least priority that the driver has, where it has any.
  static Result<std::shared_ptr<CudaContext>> Open(CudaDriverRef driver, int ordinal,
                                                   bool low_priority = false);
  CudaContext(const CudaContext&) = delete;
  CudaContext& operator=(const CudaContext&) = delete;
  ~CudaContext();

  const CudaDriver& driver() const { return *driver_; }
  Status Enter() const;

  const std::string& name() const { return name_; }        // "NVIDIA H200"
  const std::string& bus() const { return bus_; }          // "00000000:3b:00.0", or ""
  uint32_t capability() const { return capability_; }      // 90
  uint32_t processors() const { return processors_; }      // SMs
  uint32_t shared_bytes() const { return shared_bytes_; }  // that a block may ask for
  uint32_t most_threads() const { return most_threads_; }  // resident ones, all SMs together
  // Streams run beside one another: launches in turn, copies up to the GPU, copies back from it,
  // copies that must come through while a launch runs, and lanes that move.
  static constexpr size_t kLaunchStreams = 3;
  void* launch_stream(size_t which) const { return launch_streams_[which]; }
  void* upload_stream() const { return upload_stream_; }
  void* download_stream() const { return download_stream_; }
  void* stop_stream() const { return stop_stream_; }
  void* move_stream() const { return move_stream_; }

  uint32_t gpus() const { return gpus_; }  // that the driver counts
  int device() const { return device_; }   // by the driver's number
  // Bytes of the pieces in which memory can be mapped, a power of two (mapped_memory.h). 0: memory
  // cannot be mapped.
  uint64_t granule() const { return granule_; }

  // Makes a call that waits until no kernel runs (memory, modules). A kernel that stays on the GPU
  // leaves for the call.
  int WithIdleGpu(const std::function<int()>& call) const {
    return with_idle_gpu_ ? with_idle_gpu_(call) : call();
  }
  // The same for work of several calls, such as what reads or writes words of lanes: a kernel that
  // stays may hold them in its caches.
  Status WithoutKernel(const std::function<Status()>& work) const;
  // Sets how WithIdleGpu does that. Empty: no kernel stays. Called before other threads use the
  // context, or after.
  void set_with_idle_gpu(std::function<int(const std::function<int()>&)> call_it) {
    with_idle_gpu_ = std::move(call_it);
  }

  // Bytes of the GPU's memory that are free now.
  Result<uint64_t> FreeBytes() const;

 private:
  explicit CudaContext(CudaDriverRef driver) : driver_(std::move(driver)) {}
  Status Describe(int ordinal);
  std::array<void**, kLaunchStreams + 4> Streams();
  Status CreateStreams(bool low_priority);
  std::string FindBus() const;
  uint64_t FindGranule() const;

  CudaDriverRef driver_;
  int device_ = -1;
  void* context_ = nullptr;
  std::array<void*, kLaunchStreams> launch_streams_{};
  void* upload_stream_ = nullptr;
  void* download_stream_ = nullptr;
  void* stop_stream_ = nullptr;
  void* move_stream_ = nullptr;
  std::function<int(const std::function<int()>&)> with_idle_gpu_;
  std::string name_;
  std::string bus_;
  uint32_t capability_ = 0;
  uint32_t processors_ = 0;
  uint32_t shared_bytes_ = 0;
  uint32_t most_threads_ = 0;
  uint32_t gpus_ = 0;
  uint64_t granule_ = 0;
};
using CudaContextRef = std::shared_ptr<CudaContext>;

// Memory on the GPU. Its contents are undefined until written. It is freed with this object, on a
// thread that has entered the context.
class CudaBuffer {
 public:
  CudaBuffer() = default;
  // NO_DEVICE_FITS when there is not that much.
  static Result<CudaBuffer> Allocate(CudaContextRef context, uint64_t bytes);
  // ... that holds these words.
  static Result<CudaBuffer> Holding(CudaContextRef context, const std::vector<uint32_t>& words);
  // ... that holds these bytes, copied in pieces, so that other copies come through between them.
  static Result<CudaBuffer> Holding(CudaContextRef context, ByteView bytes);
  CudaBuffer(CudaBuffer&& other) noexcept
      : context_(std::move(other.context_)), address_(std::exchange(other.address_, 0)) {}
  CudaBuffer& operator=(CudaBuffer&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(address_, other.address_);
    return *this;
  }
  ~CudaBuffer();

  uint64_t address() const { return address_; }

 private:
  CudaContextRef context_;
  uint64_t address_ = 0;
};

}  // namespace wb
