#pragma once

// LoweredModules: the one owner of lowered modules in a process. A module is lowered once, whatever
// asks for it: the check of an upload, the text for a user, the scheduler, the device of an engine
// host. Bounded: the module that was used least recently goes first.
//
// Threads: any. The compiler runs on the caller's thread, without a lock. A caller that asks for a
// module that another thread is lowering waits for that thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <set>

#include "compiler/base/mutex.h"
#include "compiler/compiler.h"
#include "scheduler/base/lru.h"

namespace wb {

using LoweredModuleRef = std::shared_ptr<const LoweredModule>;

// Lower without imports, as a function so that tests count and replace it.
using LowerCall =
    std::function<Result<LoweredModuleRef>(std::shared_ptr<const Module>, const Stop&)>;
LowerCall RealLower();

class LoweredModules {
 public:
  // `max_bytes`: of what is remembered, by an estimate of a module's IR from its binary.
  explicit LoweredModules(uint64_t max_bytes = uint64_t{256} << 20, LowerCall lower = RealLower());

  // Errors: Lower's. They are not remembered. COMPILE_TIMEOUT also ends a wait for another thread.
  Result<LoweredModuleRef> Get(std::shared_ptr<const Module> module, const Stop& stop = {});

  // The same for a module's binary or a bundle, which is decoded only if it is not remembered.
  // Errors: also those of LoadModule.
  Result<LoweredModuleRef> Load(ByteView binary);

 private:
  using Decode = std::function<Result<std::shared_ptr<const Module>>()>;
  // Null: it is not remembered, and the caller is to lower it and to call Finish.
  Result<LoweredModuleRef> FindOrBegin(const Digest& digest, const Stop& stop);
  Result<LoweredModuleRef> GetOr(const Digest& digest, const Decode& decode, const Stop& stop);
  void Finish(const Digest& digest, const Result<LoweredModuleRef>& lowered);

  const LowerCall lower_;
  Mutex mutex_;
  CondVar finished_;
  Lru<Digest, LoweredModuleRef> known_ WB_GUARDED_BY(mutex_);
  std::set<Digest> under_way_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
