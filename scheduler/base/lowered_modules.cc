#include "scheduler/base/lowered_modules.h"

#include <chrono>
#include <utility>

#include "compiler/link/bundle.h"

namespace wb {
namespace {

// Rough size of a module's IR against its binary, and what any module takes.
constexpr uint64_t kBytesPerWasmByte = 16;
constexpr uint64_t kLeastBytes = 4096;

// How often a caller that waits for another thread asks its own `stop`.
constexpr std::chrono::milliseconds kLookEvery{50};

}  // namespace

LowerCall RealLower() {
  return [](std::shared_ptr<const Module> module, const Stop& stop) {
    return Lower(std::move(module), {}, stop);
  };
}

LoweredModules::LoweredModules(uint64_t max_bytes, LowerCall lower)
    : lower_(std::move(lower)), known_(max_bytes) {}

Result<LoweredModuleRef> LoweredModules::Get(std::shared_ptr<const Module> module,
                                             const Stop& stop) {
  const Digest digest = module->digest();
  const auto decode = [&]() -> Result<std::shared_ptr<const Module>> { return std::move(module); };
  return GetOr(digest, decode, stop);
}

Result<LoweredModuleRef> LoweredModules::Load(ByteView binary) {
  return GetOr(Sha256(binary), [&] { return LoadModule(binary); }, {});
}

Result<LoweredModuleRef> LoweredModules::GetOr(const Digest& digest, const Decode& decode,
                                               const Stop& stop) {
  WB_ASSIGN(LoweredModuleRef known, FindOrBegin(digest, stop));
  if (known) return known;
  Result<std::shared_ptr<const Module>> module = decode();
  Result<LoweredModuleRef> lowered =
      module.ok() ? lower_(std::move(module).value(), stop) : module.status();
  Finish(digest, lowered);
  return lowered;
}

Result<LoweredModuleRef> LoweredModules::FindOrBegin(const Digest& digest, const Stop& stop) {
  MutexLock lock(mutex_);
  while (true) {
    if (const LoweredModuleRef* known = known_.Find(digest)) return *known;
    if (under_way_.insert(digest).second) return LoweredModuleRef();
    WB_TRY(CheckStop(stop));
    (void)finished_.WaitUntil(mutex_, std::chrono::steady_clock::now() + kLookEvery);
  }
}

// Callers that wait for a module that failed lower it themselves: it may have been stopped only
// because its own caller had no time left.
void LoweredModules::Finish(const Digest& digest, const Result<LoweredModuleRef>& lowered) {
  MutexLock lock(mutex_);
  under_way_.erase(digest);
  if (lowered.ok()) {
    const uint64_t wasm_bytes = (*lowered)->program.module->binary().size();
    known_.Put(digest, *lowered, wasm_bytes * kBytesPerWasmByte + kLeastBytes);
  }
  finished_.NotifyAll();
}

}  // namespace wb
