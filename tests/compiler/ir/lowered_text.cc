#include "tests/compiler/ir/lowered_text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/compiler/wasm/assemble.h"

namespace wb::test {

Result<std::shared_ptr<const LoweredModule>> TryLower(std::string_view wat, const CutSizes& sizes) {
  WB_ASSIGN(const Bytes wasm, Assemble(wat));
  WB_ASSIGN(auto module, Module::Decode(wasm));
  return Lower(std::move(module), {}, {}, sizes);
}

std::shared_ptr<const LoweredModule> MustLower(std::string_view wat, const CutSizes& sizes) {
  auto lowered = TryLower(wat, sizes);
  if (!lowered.ok()) {
    std::fprintf(stderr, "%s\n", lowered.status().ToString().c_str());
    std::abort();
  }
  return std::move(lowered).value();
}

std::string DumpOf(std::string_view wat, uint32_t function) {
  return "\n" + ir::Dump(MustLower(wat)->program.function(function));
}

size_t CountOf(const ir::Function& function, ir::Op op) {
  return static_cast<size_t>(std::count_if(function.insts.begin(), function.insts.end(),
                                           [op](const ir::Inst& inst) { return inst.op == op; }));
}

}  // namespace wb::test
