#include "scheduler/devices/cuda/kernel_cubins.h"

#include "compiler/runtime/runtime.h"

namespace wb {

std::shared_future<KernelCubins::Outcome> KernelCubins::Find(MemoryLayout layout, bool primitives) {
  const MutexLock lock(mutex_);
  std::shared_future<Outcome>& found = built_[{layout, primitives}];
  if (!found.valid()) {
    found = std::async(std::launch::async, [this, layout, primitives]() -> Outcome {
              WB_ASSIGN(Bytes cubin, build_(CudaKernelText(layout, primitives, resident_)));
              return std::make_shared<const Bytes>(std::move(cubin));
            }).share();
  }
  return found;
}

Result<std::shared_ptr<const Bytes>> KernelCubins::Of(MemoryLayout layout, bool primitives) {
  Outcome outcome = Find(layout, primitives).get();
  if (outcome.ok()) return outcome;
  const MutexLock lock(mutex_);
  built_.erase({layout, primitives});
  return outcome;
}

}  // namespace wb
