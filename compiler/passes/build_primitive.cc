#include "compiler/passes/build_primitive.h"

#include <algorithm>
#include <vector>

namespace wb {
namespace {

using ir::Op;
using ir::Var;

class PrimitiveBuilder {
 public:
  PrimitiveBuilder(const ir::Program& program, uint32_t index)
      : program_(program),
        body_(program.module->bodies[index - program.module->imported_functions]) {
    const FunctionType& type = program.module->type_of(index);
    function_.index = index;
    function_.synthetic = true;
    for (ValueType param : type.params) NewVar(param);
    function_.num_params = function_.num_locals = static_cast<uint32_t>(type.params.size());
    for (ValueType result : type.results) function_.results.push_back(NewVar(result));
    function_.constructs.push_back({.kind = ir::ConstructKind::kFunction});
    function_.request = 1 + static_cast<uint32_t>(body_.primitive);
  }

  ir::Function Build() {
    const bool asks_host = body_.primitive == Primitive::kHostCall;
    if (asks_host) Put(Constant(body_.host_import));
    for (Var param = 0; param < function_.num_params; ++param) Put(param);
    // The host finds the size of the memory in the lane.
    if (!asks_host && body_.primitive_memory != Body::kNoMemory)
      Put(PagesOf(body_.primitive_memory));
    Emit(Op::kAsk);
    uint32_t word = 0;
    for (Var result : function_.results) {
      ir::Inst& inst = Emit(Op::kStageGet);
      inst.dst = result;
      inst.imm = word;
      word += TypeWords(function_.vars[result]);
    }
    return std::move(function_);
  }

 private:
  Var NewVar(ValueType type) {
    function_.vars.push_back(type);
    return static_cast<Var>(function_.vars.size() - 1);
  }

  ir::Inst& Emit(Op op) {
    ir::Inst& inst = function_.insts.emplace_back();
    inst.op = op;
    return inst;
  }

  Var Constant(uint32_t value) {
    const Var var = NewVar(ValueType::kI32);
    ir::Inst& inst = Emit(Op::kConst);
    inst.dst = var;
    inst.imm = value;
    return var;
  }

  void Put(Var var) {
    ir::Inst& inst = Emit(Op::kStagePut);
    inst.a = var;
    inst.imm = staged_;
    staged_ += TypeWords(function_.vars[var]);
  }

  // The size of the memory, which the engine compares addresses with.
  Var PagesOf(uint32_t memory) {
    function_.request |= memory << 8;
    const Var pages = NewVar(ValueType::kI32);
    ir::Inst& inst = Emit(memory == 0 ? Op::kMemorySize : Op::kGlobalGet);
    inst.dst = pages;
    if (memory != 0) inst.imm = program_.memories[memory].pages_global;
    return pages;
  }

  const ir::Program& program_;
  const Body& body_;
  ir::Function function_;
  uint32_t staged_ = 0;
};

}  // namespace

ir::Function BuildPrimitive(const ir::Program& program, uint32_t index) {
  return PrimitiveBuilder(program, index).Build();
}

uint32_t StageWordsOf(const ir::Function& primitive) {
  uint32_t words = 0;
  for (const ir::Inst& inst : primitive.insts) {
    if (inst.op != Op::kStagePut && inst.op != Op::kStageGet) continue;
    const Var var = inst.op == Op::kStagePut ? inst.a : inst.dst;
    words = std::max(words, static_cast<uint32_t>(inst.imm) + TypeWords(primitive.vars[var]));
  }
  return words;
}

}  // namespace wb
