#include "compiler/passes/analysis/loop_depths.h"

#include <algorithm>

#include "compiler/wasm/module.h"

namespace wb {
namespace {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;

// What a loop multiplies the weight of its rows by, and how many loops within one another count.
constexpr uint64_t kLoopRounds = 8;
constexpr uint32_t kMostLoops = 5;
// How often depths go from callers to callees.
constexpr uint32_t kCallRounds = 4;

}  // namespace

LoopDepths::LoopDepths(const ir::Program& program)
    : program_(program), around_(program.functions.size(), 0) {
  for (uint32_t round = 0; round < kCallRounds; ++round) {
    for (size_t i = 0; i < around_.size(); ++i) PassOn(i);
  }
}

uint64_t LoopDepths::WeightOf(uint32_t loops) {
  uint64_t weight = 1;
  for (uint32_t i = 0; i < std::min(loops, kMostLoops); ++i) weight *= kLoopRounds;
  return weight;
}

void LoopDepths::Walk(size_t function,
                      const std::function<void(uint32_t row, uint32_t loops)>& visit) const {
  const ir::Function& of = program_.functions[function];
  uint32_t loops = around_[function];
  for (uint32_t row = 0; row < of.insts.size(); ++row) {
    const Inst& inst = of.insts[row];
    if (inst.op == Op::kLoop) ++loops;
    if (inst.op == Op::kEnd && of.constructs[inst.imm].kind == ConstructKind::kLoop) --loops;
    visit(row, loops);
  }
}

void LoopDepths::PassOn(size_t function) {
  Walk(function, [&](uint32_t row, uint32_t loops) {
    const Inst& inst = program_.functions[function].insts[row];
    if (inst.op != Op::kCall) return;
    const uint32_t callee = program_.functions[function].calls[inst.imm].callee;
    uint32_t& around = around_[callee - program_.module->imported_functions];
    around = std::max(around, std::min(loops, kMostLoops));
  });
}

}  // namespace wb
