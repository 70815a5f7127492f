#include "scheduler/devices/cuda/kernel_cubins.h"

#include <chrono>

#include "compiler/runtime/runtime.h"

namespace wb {

std::shared_future<KernelCubins::Outcome> KernelCubins::Find(MemoryLayout layout, KernelForm form) {
  const MutexLock lock(mutex_);
  std::shared_future<Outcome>& found = built_[{layout, form}];
  if (!found.valid()) {
    found = std::async(std::launch::async, [this, layout, form]() -> Outcome {
              WB_ASSIGN(Bytes cubin, build_(CudaKernelText(layout, form, resident_)));
              return std::make_shared<const Bytes>(std::move(cubin));
            }).share();
  }
  return found;
}

Result<std::shared_ptr<const Bytes>> KernelCubins::Of(MemoryLayout layout, KernelForm form) {
  Outcome outcome = Find(layout, form).get();
  if (outcome.ok()) return outcome;
  const MutexLock lock(mutex_);
  const auto failed = built_.find({layout, form});
  // Another caller may have begun a new build by now.
  const bool is_over = failed != built_.end() && failed->second.wait_for(std::chrono::seconds(0)) ==
                                                     std::future_status::ready;
  if (is_over && !failed->second.get().ok()) built_.erase(failed);
  return outcome;
}

}  // namespace wb
