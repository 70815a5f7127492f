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
    if (body_.primitive == Primitive::kGroupMemory) return AccessToGroup();
    if (body_.primitive == Primitive::kCollective) return Collective();
    const bool asks_host = body_.primitive == Primitive::kHostCall;
    if (asks_host) Put(rows_.I32(body_.host_import));
    for (Var param = 0; param < rows_.function().num_params; ++param) Put(param);
    // The host finds the size of the memory in the lane.
    if (!asks_host && body_.primitive_memory != Body::kNoMemory)
      Put(PagesOf(body_.primitive_memory));
    rows_.Emit(Op::kAsk);
    uint32_t word = 0;
    for (const Var result : rows_.function().results) {
      Get(result, word);
      word += TypeWords(rows_.TypeOf(result));
    }
    return rows_.Take();
  }

 private:
  // A group that is together computes here. Else the lane leaves, and waits for its group.
  ir::Function Collective() {
    const std::vector<Var>& results = rows_.function().results;
    const Var together = rows_.Define(Op::kTogether, ValueType::kI32).dst;
    const uint32_t choice = rows_.Open(ir::ConstructKind::kIf, 0, together);
    const Var answer = AnswerOfGroup();
    if (!results.empty()) rows_.Copy(results.front(), answer);
    rows_.Else(choice);
    Put(rows_.I32(body_.code));
    for (Var param = 0; param < rows_.function().num_params; ++param) Put(param);
    rows_.Emit(Op::kAsk);
    if (!results.empty()) {
      const Var got = rows_.NewVar(rows_.TypeOf(results.front()));
      Get(got, abi::COLLECT_ANSWER);
      rows_.Copy(results.front(), got);
    }
    rows_.End(choice);
    return rows_.Take();
  }
  Var AnswerOfGroup() {
    const uint32_t params = rows_.function().num_params;
    const Var value = params > 0 ? BitsOf(0) : ir::kNoVar;
    ir::Inst& collect = rows_.Emit(Op::kCollect);
    collect.a = value;
    if (params > 1) collect.b = 1;
    collect.imm = body_.code;
    return BitsToResult();
  }
  // The last row's result, which is the bits of the function's.
  Var BitsToResult() {
    if (rows_.function().results.empty()) return ir::kNoVar;
    const ValueType type = rows_.TypeOf(rows_.function().results.front());
    const bool is_wide = TypeWords(type) == 2;
    const size_t row = rows_.function().insts.size() - 1;
    const Var bits = rows_.NewVar(is_wide ? ValueType::kI64 : ValueType::kI32);
    rows_.function().insts[row].dst = bits;
    if (!IsFloat(type)) return bits;
    const Var value = rows_.NewVar(type);
    Reinterpret(is_wide ? Opcode::kF64ReinterpretI64 : Opcode::kF32ReinterpretI32, bits, value);
    return value;
  }

  void Get(Var var, uint32_t word) {
    ir::Inst& inst = rows_.Emit(Op::kStageGet);
    inst.dst = var;
    inst.imm = word;
  }

  // It does not leave. An address that is no multiple of the value's size becomes one far outside.
  ir::Function AccessToGroup() {
    rows_.function().request = 0;
    const uint32_t type = body_.code >> abi::COLLECT_TYPE_SHIFT;
    const bool is_wide = (type & 1) != 0;
    const Var unit = rows_.Binary(Opcode::kI32Rotr, 0, rows_.I32(is_wide ? 3 : 2));
    rows_.RangeCheck(unit, rows_.I32(1), rows_.I32(abi::GROUP_MEMORY_WORDS >> (is_wide ? 1 : 0)),
                     Trap::kOutOfBoundsMemory);
    const Var word = is_wide ? rows_.Binary(Opcode::kI32Shl, unit, rows_.I32(1)) : unit;
    const uint32_t params = rows_.function().num_params;
    const Var value = params > 1 ? BitsOf(1) : ir::kNoVar;
    ir::Inst& access = rows_.Emit(Op::kGroupAccess);
    access.a = word;
    access.b = value;
    if (params > 2) access.c = 2;
    access.imm = body_.code & abi::COLLECT_OPERATION;
    const Var result = BitsToResult();
    if (result != ir::kNoVar) rows_.function().results = {result};
    return rows_.Take();
  }

  static bool IsFloat(ValueType type) { return type == ValueType::kF32 || type == ValueType::kF64; }
  // The parameter, as an integer.
  Var BitsOf(Var param) {
    const ValueType type = rows_.TypeOf(param);
    if (!IsFloat(type)) return param;
    const bool is_wide = type == ValueType::kF64;
    const Var bits = rows_.NewVar(is_wide ? ValueType::kI64 : ValueType::kI32);
    Reinterpret(is_wide ? Opcode::kI64ReinterpretF64 : Opcode::kI32ReinterpretF32, param, bits);
    return bits;
  }
  void Reinterpret(Opcode opcode, Var from, Var to) {
    ir::Inst& inst = rows_.Emit(Op::kNumeric);
    inst.opcode = opcode;
    inst.a = from;
    inst.dst = to;
  }

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
