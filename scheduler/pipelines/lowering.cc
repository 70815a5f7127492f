#include "scheduler/pipelines/lowering.h"

#include <chrono>
#include <optional>
#include <utility>

namespace wb {
namespace {

constexpr uint64_t kRememberedIrBytes = uint64_t{256} << 20;
// Rough size of a module's IR against its binary, for the bound above.
constexpr uint64_t kBytesPerWasmByte = 16;

Result<LoweredRef> Compile(const CompilerCalls& calls, std::shared_ptr<const Module> module,
                           const std::optional<CompileOptions>& options) {
  const auto start = std::chrono::steady_clock::now();
  auto lowered = std::make_shared<LoweredKernel>();
  WB_ASSIGN(lowered->module, calls.lower(std::move(module)));
  lowered->source.layout = lowered->module->layout;
  if (options) {
    Result<KernelSource> source = calls.emit(*lowered->module, *options);
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
      known_(kRememberedIrBytes) {}

Lowering::Key Lowering::KeyOf(const Module& module, const std::optional<CompileOptions>& options) {
  const CompileOptions emit = options.value_or(CompileOptions{});
  return {module.digest(), options.has_value(), emit.floats,
          emit.layout,     emit.windows,        emit.native_group_memory};
}

void Lowering::Get(std::shared_ptr<const Module> module, std::optional<CompileOptions> options,
                   LoweredDone done) {
  const Key key = KeyOf(*module, options);
  if (const LoweredRef* known = known_.Find(key)) return done(*known);
  std::vector<LoweredDone>& waiting = waiting_[key];
  waiting.push_back(std::move(done));
  if (waiting.size() > 1) return;
  worker_.Post([this, key, module = std::move(module), options] {
    const uint64_t cost = module->binary().size() * kBytesPerWasmByte + 4096;
    Result<LoweredRef> result = Compile(calls_, module, options);
    coordinator_.Post([this, key, cost, result = std::move(result)] { Finish(key, cost, result); });
  });
}

void Lowering::Finish(const Key& key, uint64_t cost, const Result<LoweredRef>& result) {
  if (result.ok()) known_.Put(key, *result, cost);
  const std::vector<LoweredDone> waiting = std::move(waiting_[key]);
  waiting_.erase(key);
  for (const LoweredDone& done : waiting) done(result);
}

}  // namespace wb
