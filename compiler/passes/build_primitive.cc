#include "compiler/passes/build_primitive.h"

#include <algorithm>
#include <vector>

#include "compiler/passes/rows/row_emitter.h"

namespace wb {
namespace {

using ir::Op;
using ir::Var;

ir::Function HeadOf(const ir::Program& program, uint32_t index, const Body& body) {
  ir::Function head;
  head.index = index;
  head.synthetic = true;
  head.vars = program.module->type_of(index).params;
  head.num_params = head.num_locals = static_cast<uint32_t>(head.vars.size());
  head.request = 1 + static_cast<uint32_t>(body.primitive);
  return head;
}

class PrimitiveBuilder {
 public:
  PrimitiveBuilder(const ir::Program& program, uint32_t index)
      : program_(program),
        body_(program.module->bodies[index - program.module->imported_functions]),
        rows_(HeadOf(program, index, body_)) {
    rows_.function().results = rows_.NewVars(program.module->type_of(index).results);
  }

  ir::Function Build() {
    const bool asks_host = body_.primitive == Primitive::kHostCall;
    const bool meets = body_.primitive == Primitive::kCollective;
    if (asks_host) Put(rows_.I32(body_.host_import));
    if (meets) Put(rows_.I32(body_.collective));
    for (Var param = 0; param < rows_.function().num_params; ++param) Put(param);
    // The host finds the size of the memory in the lane.
    if (!asks_host && body_.primitive_memory != Body::kNoMemory)
      Put(PagesOf(body_.primitive_memory));
    rows_.Emit(Op::kAsk);
    uint32_t word = meets ? uint32_t{abi::COLLECT_ANSWER} : 0;
    for (const Var result : rows_.function().results) {
      ir::Inst& inst = rows_.Emit(Op::kStageGet);
      inst.dst = result;
      inst.imm = word;
      word += TypeWords(rows_.TypeOf(result));
    }
    return rows_.Take();
  }

 private:
  void Put(Var var) {
    ir::Inst& inst = rows_.Emit(Op::kStagePut);
    inst.a = var;
    inst.imm = staged_;
    staged_ += TypeWords(rows_.TypeOf(var));
  }

  // The size of the memory, which the engine compares addresses with.
  Var PagesOf(uint32_t memory) {
    rows_.function().request |= memory << 8;
    if (memory == 0) return rows_.Define(Op::kMemorySize, ValueType::kI32).dst;
    return rows_.GlobalGet(program_.memories[memory].pages_global, ValueType::kI32);
  }

  const ir::Program& program_;
  const Body& body_;
  RowEmitter rows_;
  uint32_t staged_ = 0;
};

}  // namespace

ir::Function BuildPrimitive(const ir::Program& program, uint32_t index) {
  return PrimitiveBuilder(program, index).Build();
}

uint32_t StageWordsOf(const ir::Function& primitive) {
  const bool meets =
      (primitive.request & 0xff) == 1 + static_cast<uint32_t>(Primitive::kCollective);
  uint32_t words = meets ? uint32_t{abi::COLLECT_WORDS} : 0;
  for (const ir::Inst& inst : primitive.insts) {
    if (inst.op != Op::kStagePut && inst.op != Op::kStageGet) continue;
    const Var var = inst.op == Op::kStagePut ? inst.a : inst.dst;
    words = std::max(words, static_cast<uint32_t>(inst.imm) + TypeWords(primitive.vars[var]));
  }
  return words;
}

}  // namespace wb
