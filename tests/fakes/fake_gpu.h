#pragma once

// A GPU made of this machine's processor: the CUDA driver's calls over ordinary memory, and
// "cubins" that are shared objects of the kernel text. Every copy is checked to stay inside an
// allocation. One at a time in a process, since the driver's calls take no context of ours.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/devices/cuda/cuda_device.h"
#include "tests/fakes/fake_mapping.h"

namespace wb::test {

class FakeGpu {
 public:
  FakeGpu();
  ~FakeGpu();
  FakeGpu(const FakeGpu&) = delete;
  FakeGpu& operator=(const FakeGpu&) = delete;

  CudaParts Parts() const;  // build: by this machine's compiler, interleaved layout

  // From now on the call of driver.def gives this result; 0 ends it.
  void Fail(const std::string& call, int result);
  void SetMemory(uint64_t bytes) { memory_bytes_ = bytes; }
  int gpus = 1;
  int most_threads = 1024;  // of a kernel's block
  int warps = 8;            // of a kernel that a processor has registers for
  // Whether its driver has the calls that map memory, and whether the GPU says that it can.
  bool driver_maps = true, gpu_maps = true;
  static constexpr int kLeastPriority = 2;  // of a stream; greater numbers are less
  bool driver_has_priorities = true;
  std::vector<int> stream_priorities;  // of streams that were created with one
  // After a launch, before its records go back: what the kernel left, to be written over.
  std::function<void(uint32_t* records, const abi::Params& params)> after_launch;
  uint32_t cubins = 1;  // that a build gives; of several each holds a part of the shared object

  bool few_registers = false;  // a build gives a second kernel
  bool tiled = false;          // ... and two tiled ones
  // ... and, of a module with hot bytes, one for them. Not where lanes vote: they would share them.
  bool hot = false;
  uint32_t hot_lanes = 14;  // of its blocks, which it says itself
  // Lanes of a group run in step, as on a GPU (voting_lanes.h). Else they run one after the other.
  bool lanes_vote = false;

  std::atomic<uint32_t> grid{0}, block{0}, shared_bytes{0};  // of the last launch
  std::atomic<const void*> last_kernel{nullptr};
  std::atomic<uint64_t> reorders{0};  // launches of `wb_reorder`, which are none of the launches()
  uint64_t allocations() const;       // that live
  uint64_t used_bytes() const;        // of its memory
  uint64_t uploads() const { return uploads_; }
  uint64_t launches() const { return launches_; }
  bool kernel_stays() const { return resident_runs_; }
  uint64_t posts() const { return posts_; }  // launches that a kernel that stays was given

 private:
  friend struct FakeGpuCalls;

  FakeMapping mapping_;
  mutable Mutex mutex_;
  std::map<uint64_t, uint64_t> sizes_ WB_GUARDED_BY(mutex_);  // of allocations, by address
  uint64_t used_ WB_GUARDED_BY(mutex_) = 0;
  std::string failing_ WB_GUARDED_BY(mutex_);
  int failure_ WB_GUARDED_BY(mutex_) = 0;
  std::atomic<uint64_t> memory_bytes_{uint64_t{1} << 30};
  std::atomic<uint64_t> uploads_{0};
  std::atomic<uint64_t> launches_{0};
  std::atomic<uint64_t> posts_{0};
  std::thread resident_;
  std::atomic<void*> resident_stream_{nullptr};
  std::atomic<bool> resident_runs_{false};
  // Single words that were copied there: a kernel that stays wakes.
  uint64_t words_ WB_GUARDED_BY(mutex_) = 0;
  CondVar words_changed_;
};

}  // namespace wb::test
