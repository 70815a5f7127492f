#include "scheduler/pipelines/lowering.h"

#include <chrono>
#include <optional>
#include <utility>

namespace wb {
namespace {

constexpr uint64_t kRememberedIrBytes = uint64_t{256} << 20;
constexpr uint64_t kRememberedCalls = 4096;
// Rough size of a module's IR against its binary, for the bound above.
constexpr uint64_t kBytesPerWasmByte = 16;

Result<LoweredRef> Compile(const CompilerCalls& calls, const Lowering::Wish& wish) {
  const auto start = std::chrono::steady_clock::now();
  auto lowered = std::make_shared<LoweredKernel>();
  WB_ASSIGN(lowered->module, calls.lower(wish.module));
  if (wish.start && calls.start) {
    LoweredModuleRef started = calls.start(lowered->module, *wish.start);
    if (started != nullptr) lowered->module = std::move(started);
  }
  lowered->source.layout = lowered->module->layout;
  if (wish.options) {
    Result<KernelSource> source = calls.emit(*lowered->module, *wish.options);
    lowered->refused = source.status();
    if (source.ok()) lowered->source = std::move(source).value();
  }
  lowered->time = std::chrono::steady_clock::now() - start;
  return LoweredRef(std::move(lowered));
}

}  // namespace

CompilerCalls RealCompiler(std::shared_ptr<LoweredModules> modules,
                           std::chrono::nanoseconds max_time) {
  const auto stop = [max_time]() -> Stop {
    return [end = std::chrono::steady_clock::now() + max_time] {
      return std::chrono::steady_clock::now() > end;
    };
  };
  return {[stop, modules = std::move(modules)](std::shared_ptr<const Module> module) {
            return modules->Get(std::move(module), stop());
          },
          [stop](const LoweredModule& module, const CompileOptions& options) {
            return EmitKernel(module, options, stop());
          }};
}

LoweredRef WithoutText(const LoweredKernel& lowered) {
  auto without_text = std::make_shared<LoweredKernel>();
  without_text->module = lowered.module;
  without_text->source.layout = lowered.module->layout;
  return without_text;
}

Lowering::Lowering(CompilerCalls calls, WorkQueue& coordinator, WorkQueue& worker)
    : calls_(std::move(calls)),
      coordinator_(coordinator),
      worker_(worker),
      known_(kRememberedIrBytes),
      startless_(kRememberedCalls) {}

Lowering::Key Lowering::KeyOf(const Wish& wish) {
  const CompileOptions emit = wish.options.value_or(CompileOptions{});
  return {wish.module->digest(), wish.start,   wish.options.has_value(), emit.floats,
          emit.layout,           emit.windows, emit.native_group_memory};
}

void Lowering::Get(Wish wish, LoweredDone done) {
  if (wish.start && startless_.Find({wish.module->digest(), wish.start->function}) != nullptr) {
    wish.start.reset();
  }
  const Key key = KeyOf(wish);
  if (const LoweredRef* known = known_.Find(key)) return done(*known);
  std::vector<LoweredDone>& waiting = waiting_[key];
  waiting.push_back(std::move(done));
  if (waiting.size() > 1) return;
  worker_.Post([this, key, wish = std::move(wish)] {
    const uint64_t cost = wish.module->binary().size() * kBytesPerWasmByte + 4096;
    Result<LoweredRef> result = Compile(calls_, wish);
    coordinator_.Post([this, key, cost, result = std::move(result)] { Finish(key, cost, result); });
  });
}

void Lowering::Finish(const Key& key, uint64_t cost, const Result<LoweredRef>& result) {
  if (result.ok()) {
    Key known = key;
    std::optional<StartCall>& start = std::get<1>(known);
    if (start && !(*result)->module->program.module->common_start) {
      startless_.Put({std::get<0>(known), start->function}, true, 1);
      start.reset();
    }
    known_.Put(known, *result, cost);
  }
  const std::vector<LoweredDone> waiting = std::move(waiting_[key]);
  waiting_.erase(key);
  for (const LoweredDone& done : waiting) done(result);
}

}  // namespace wb
