#pragma once

// CommonStarts: modules with a common start, made of others (compiler/docs/common_start.md). Each
// is made once and remembered, also that there is none. The guest runs where the DeviceStarter
// says: in the daemon in an engine host of its own.
//
// Threads: any. It takes as long as the beginning runs, on the caller's thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "compiler/base/mutex.h"
#include "scheduler/base/lowered_modules.h"
#include "scheduler/base/lru.h"
#include "scheduler/devices/started_device.h"
#include "scheduler/starts/start_call.h"
#include "scheduler/starts/start_run.h"

namespace wb {

class CommonStarts {
 public:
  // `start`: of an interpreter, for each start. `log`: why there is none, where that is a fault.
  CommonStarts(std::shared_ptr<LoweredModules> modules, DeviceStarter start,
               std::function<void(const std::string&)> log = {});

  // The module with which the job's instances begin behind the call's common start, lowered. Null:
  // there is none that is worth it. `module` has no common start itself.
  LoweredModuleRef Get(const LoweredModuleRef& module, const StartCall& call);

 private:
  using Key = std::pair<Digest, StartCall>;
  Result<LoweredModuleRef> Make(const LoweredModule& module, const ir::Program::Start& start,
                                const StartCall& call);

  const std::shared_ptr<LoweredModules> modules_;
  const DeviceStarter start_;
  const std::function<void(const std::string&)> log_;
  Mutex mutex_;  // one start is made at a time
  Lru<Key, std::shared_ptr<const Module>> known_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
