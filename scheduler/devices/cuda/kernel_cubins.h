#pragma once

// KernelCubins: the kernels that a compiler builds by themselves (CudaKernelText in
// compiler/runtime/runtime.h), once for all modules, kept in memory.

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "compiler/base/bytes.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "compiler/runtime/form.h"

namespace wb {

class KernelCubins {
 public:
  // `build` compiles a text. It is called on threads of this object's own, and this object's end
  // waits for it.
  using Build = std::function<Result<Bytes>(const std::string& text)>;
  KernelCubins(bool resident, Build build) : resident_(resident), build_(std::move(build)) {}

  // Begins to build, if nobody has. Any thread.
  void Begin(MemoryLayout layout, KernelForm form) { (void)Find(layout, form); }
  // Waits for it. After an error the next call builds again. Any thread.
  Result<std::shared_ptr<const Bytes>> Of(MemoryLayout layout, KernelForm form);

 private:
  using Outcome = Result<std::shared_ptr<const Bytes>>;
  using Key = std::pair<MemoryLayout, KernelForm>;
  std::shared_future<Outcome> Find(MemoryLayout layout, KernelForm form);

  const bool resident_;
  const Build build_;
  Mutex mutex_;
  std::map<Key, std::shared_future<Outcome>> built_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
