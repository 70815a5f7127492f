#include "scheduler/starts/common_starts.h"

#include <algorithm>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr uint64_t kRememberedBytes = uint64_t{256} << 20;
constexpr uint64_t kLeastBytes = 256;
constexpr uint64_t kBytesPerByte = 16;  // of a decoded module, about
// A started module holds the binary it was derived from once more.
constexpr uint64_t kMostModuleBytes = uint64_t{16} << 20;

const ir::Program::Start* StartOf(const LoweredModule& module, uint32_t function) {
  const auto& starts = module.program.starts;
  const auto start = std::find_if(starts.begin(), starts.end(),
                                  [&](const auto& its) { return its.function == function; });
  return start == starts.end() ? nullptr : &*start;
}

}  // namespace

CommonStarts::CommonStarts(std::shared_ptr<LoweredModules> modules, DeviceStarter start,
                           std::function<void(const std::string&)> log)
    : modules_(std::move(modules)),
      start_(std::move(start)),
      log_(std::move(log)),
      known_(kRememberedBytes) {}

LoweredModuleRef CommonStarts::Get(const LoweredModuleRef& module, const StartCall& call) {
  const ir::Program::Start* start = StartOf(*module, call.function);
  const Module& plain = *module->program.module;
  if (start == nullptr || plain.binary().size() > kMostModuleBytes) return nullptr;
  const Key key{plain.digest(), call};
  MutexLock lock(mutex_);
  if (const auto* known = known_.Find(key); known != nullptr) {
    if (*known == nullptr) return nullptr;
    const Result<LoweredModuleRef> again = modules_->Get(*known);
    return again.ok() ? *again : nullptr;
  }
  const Result<LoweredModuleRef> made = Make(*module, *start, call);
  if (!made.ok() && log_) {
    log_("The common start of function " + Quoted(uint64_t{call.function}) + " of the module " +
         Quoted(plain.digest().Hex()) + " is not used: " + made.status().message());
  }
  const bool is_there = made.ok() && *made != nullptr;
  std::shared_ptr<const Module> derived;
  if (is_there) derived = (*made)->program.module;
  known_.Put(key, derived, kLeastBytes + (is_there ? derived->binary().size() * kBytesPerByte : 0));
  return is_there ? *made : nullptr;
}

Result<LoweredModuleRef> CommonStarts::Make(const LoweredModule& module,
                                            const ir::Program::Start& start,
                                            const StartCall& call) {
  const Module& plain = *module.program.module;
  const StartWish wish{start.function, start.links, call.also};
  WB_ASSIGN(auto beginning, BeginningOf(plain, wish));
  WB_ASSIGN(const LoweredModuleRef lowered, Lower(std::move(beginning)));
  WB_ASSIGN(const StartedDevice started, start_([] {}));
  WB_ASSIGN(const auto picture, TakeStartPicture(*started.device, lowered, start.results));
  if (!picture || !IsWorthIt(*picture)) return LoweredModuleRef();
  WB_ASSIGN(auto rest, RestOf(plain, wish, *picture));
  return modules_->Get(std::move(rest));
}

}  // namespace wb
