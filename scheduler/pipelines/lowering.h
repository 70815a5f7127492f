#pragma once

// Lowering: decoded modules to what devices need, on a thread of its own, and remembered. Kernel
// texts are remembered here, lowered modules by their owner (scheduler/base/lowered_modules.h).
// Used on the coordinator's thread only.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/base/lowered_modules.h"
#include "scheduler/base/lru.h"
#include "scheduler/base/work_queue.h"
#include "scheduler/starts/start_call.h"

namespace wb {

// A module after the compiler. Immutable, shared.
struct LoweredKernel {
  std::shared_ptr<const LoweredModule> module;
  KernelSource source;  // without text when `refused` is not ok or none was asked for
  Status refused;       // why there is no kernel text; then only the interpreter runs it
  std::chrono::nanoseconds time{};
};
using LoweredRef = std::shared_ptr<const LoweredKernel>;
LoweredRef WithoutText(const LoweredKernel& lowered);  // what the interpreter needs of it
using LoweredDone = std::function<void(Result<LoweredRef>)>;

// Lower and EmitKernel, as plain functions so that tests count and replace them.
struct CompilerCalls {
  std::function<Result<std::shared_ptr<const LoweredModule>>(std::shared_ptr<const Module>)> lower;
  std::function<Result<KernelSource>(const LoweredModule&, const CompileOptions&)> emit;
  // CommonStarts::Get; may be empty.
  std::function<LoweredModuleRef(const LoweredModuleRef&, const StartCall&)> start = {};
};
// `modules` owns what is lowered, and is shared with the process's other users of the compiler.
// `max_time`: of each call; COMPILE_TIMEOUT.
CompilerCalls RealCompiler(std::shared_ptr<LoweredModules> modules,
                           std::chrono::nanoseconds max_time = std::chrono::hours(1));

class Lowering {
 public:
  // `coordinator` runs the answers, `worker` the compiler; both outlive this.
  Lowering(CompilerCalls calls, WorkQueue& coordinator, WorkQueue& worker);

  struct Wish {
    std::shared_ptr<const Module> module;
    std::optional<StartCall> start = {};  // the module with that common start, if there is one
    std::optional<CompileOptions> options = {};  // how to emit; none: for the interpreter alone
  };
  // `done` runs on the coordinator's thread, perhaps before this returns. Equal requests under way
  // are one.
  void Get(Wish wish, LoweredDone done);

 private:
  using Key =
      std::tuple<Digest, std::optional<StartCall>, bool, Floats, MemoryLayout, Windows, bool>;
  static Key KeyOf(const Wish& wish);
  void Finish(const Key& key, uint64_t cost, const Result<LoweredRef>& result);

  const CompilerCalls calls_;
  WorkQueue& coordinator_;
  WorkQueue& worker_;
  Lru<Key, LoweredRef> known_;
  // Calls that have no common start, by module and function: all share what was lowered without.
  Lru<std::pair<Digest, uint32_t>, bool> startless_;
  std::map<Key, std::vector<LoweredDone>> waiting_;
};

}  // namespace wb
