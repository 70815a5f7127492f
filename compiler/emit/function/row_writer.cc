#include "compiler/emit/function/row_writer.h"

#include <optional>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/emit/text/names.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

void RowWriter::Write(uint32_t row) {
  const Inst& inst = context_.function.insts[row];
  Visit(inst, row);
  if (inst.dst != ir::kNoVar) memory_.Forget(inst.dst);
}

void RowWriter::Visit(const Inst& inst, uint32_t row) {
  switch (inst.op) {
    case Op::kNumeric: Numeric(inst); break;
    case Op::kConst: Const(inst); break;
    case Op::kCopy: Copy(inst); break;
    case Op::kSelect: Select(inst); break;
    case Op::kCanon: Canon(inst); break;
    case Op::kGlobalGet: GlobalGet(inst); break;
    case Op::kGlobalSet: GlobalSet(inst); break;
    case Op::kRangeCheck: RangeCheck(inst); break;
    case Op::kLoad: memory_.Load(inst, row); break;
    case Op::kStore: memory_.Store(inst, row); break;
    case Op::kMemorySize: memory_.Size(inst); break;
    case Op::kMemoryGrow: memory_.Grow(inst, row); break;
    case Op::kMemoryCopyCheck: memory_.CopyCheck(inst); break;
    case Op::kMemoryFillCheck: memory_.FillCheck(inst); break;
    case Op::kMemoryCopyChunk: memory_.CopyChunk(inst); break;
    case Op::kMemoryFillChunk: memory_.FillChunk(inst); break;
    case Op::kMemoryInitChunk: memory_.InitChunk(inst); break;
    case Op::kTableLookup: tables_.Lookup(inst, row); break;
    case Op::kTableGet: tables_.Get(inst); break;
    case Op::kTableSet: tables_.Set(inst); break;
    case Op::kTableFillChunk: tables_.FillChunk(inst); break;
    case Op::kTableCopyChunk: tables_.CopyChunk(inst); break;
    case Op::kTableInitChunk: tables_.InitChunk(inst); break;
    case Op::kCheckRoom: tables_.CheckRoom(inst); break;
    case Op::kTogether:
      context_.expressions.DefineNow(inst.dst, "(wb_together(fuel) ? 1u : 0u)");
      break;
    case Op::kCollect: Collect(inst); break;
    case Op::kGroupAccess: GroupAccess(inst); break;
    case Op::kStagePut: StagePut(inst); break;
    case Op::kStageGet: StageGet(inst); break;
    case Op::kPay: Pay(std::to_string(inst.imm) + "u"); break;
    case Op::kPayVar: Pay(context_.expressions.Use(inst.a)); break;
    case Op::kPayPer16: Pay("((" + context_.expressions.Use(inst.a) + " + 15u) >> 4u)"); break;
    case Op::kTrap:
      context_.targets.ExitAlways(TrapWhy(static_cast<Trap>(inst.imm), inst.offset));
      break;
    default: WB_CHECK(false);
  }
}

void RowWriter::Pay(const std::string& amount) { context_.text.Line(PayText(amount)); }

// A literal stands where it is used, unless its variable holds other values too.
void RowWriter::Const(const Inst& inst) {
  if (context_.expressions.IsConstant(inst.dst)) return;
  context_.expressions.DefineNow(inst.dst,
                                 Expressions::ConstantText(context_.function, inst.dst, inst.imm));
}

void RowWriter::Canon(const Inst& inst) {
  const std::string value = context_.expressions.Use(inst.a);
  context_.expressions.DefinePure(inst.dst, CanonText(context_.function.vars[inst.dst], value), {});
}

void RowWriter::GlobalGet(const Inst& inst) {
  const std::string word = context_.GlobalWord(static_cast<uint32_t>(inst.imm));
  context_.expressions.DefineNow(inst.dst, GetText(context_.function.vars[inst.dst], word));
}

void RowWriter::GlobalSet(const Inst& inst) {
  const std::string word = context_.GlobalWord(static_cast<uint32_t>(inst.imm));
  const std::string value = context_.expressions.Use(inst.a);
  context_.text.Line(PutText(context_.function.vars[inst.a], word, value));
}

std::string RowWriter::StageWord(const Inst& inst) const {
  return std::to_string(context_.layout.stage_at + inst.imm) + "u";
}

void RowWriter::StagePut(const Inst& inst) {
  const std::string value = context_.expressions.Use(inst.a);
  context_.text.Line(PutText(context_.function.vars[inst.a], StageWord(inst), value));
}

void RowWriter::StageGet(const Inst& inst) {
  const ValueType type = context_.function.vars[inst.dst];
  context_.expressions.DefineNow(inst.dst, GetText(type, StageWord(inst)));
}

// Names in runtime/folds.metal.
void RowWriter::Collect(const Inst& inst) {
  const std::string value =
      inst.a != ir::kNoVar ? "(ulong)" + context_.expressions.UseOften(inst.a) : "0ul";
  const std::string named = inst.b != ir::kNoVar ? context_.expressions.UseOften(inst.b) : "0u";
  const std::string answer =
      "wb_collect_together(L, " + std::to_string(inst.imm) + "u, " + value + ", " + named + ")";
  if (inst.dst == ir::kNoVar) {
    context_.text.Line(answer, ";");
  } else {
    const bool is_wide = context_.function.vars[inst.dst] == ValueType::kI64;
    context_.expressions.DefineNow(inst.dst, (is_wide ? "" : "(uint)") + answer);
  }
}

// Names in runtime/group_memory.metal.
void RowWriter::GroupAccess(const Inst& inst) {
  const bool is_store = inst.imm == abi::ACCESS_STORE;
  const Var value = is_store ? inst.b : inst.dst;
  const bool is_wide = context_.function.vars[value] == ValueType::kI64;
  const std::string word = context_.expressions.UseOften(inst.a);
  if (is_store) {
    context_.text.Line(is_wide ? "wb_group_store64(L, " : "wb_group_store(L, ", word, ", ",
                       context_.expressions.Use(inst.b), ");");
  } else if (inst.imm == abi::ACCESS_LOAD) {
    context_.expressions.DefineNow(
        inst.dst, (is_wide ? "wb_group_load64(L, " : "wb_group_load(L, ") + word + ")");
  } else if (inst.imm == abi::ACCESS_COMPARE) {
    const std::string expected = context_.expressions.UseOften(inst.b);
    context_.expressions.DefineNow(inst.dst, "wb_group_compare(L, " + word + ", " + expected +
                                                 ", " + context_.expressions.UseOften(inst.c) +
                                                 ")");
  } else {
    context_.expressions.DefineNow(inst.dst, "wb_group_change(L, " + std::to_string(inst.imm) +
                                                 "u, " + word + ", " +
                                                 context_.expressions.UseOften(inst.b) + ")");
  }
}

void RowWriter::RangeCheck(const Inst& inst) {
  const std::string start = context_.expressions.UseOften(inst.a);
  const std::string size = context_.expressions.Use(inst.b);
  const std::string count = context_.expressions.UseOften(inst.c);
  context_.targets.ExitIf("wb_outside((ulong)" + size + ", " + start + ", (ulong)" + count + ")",
                          TrapWhy(static_cast<Trap>(inst.imm), inst.offset));
}

// A product that only this sum reads becomes one call with it, which still rounds twice: where f32
// is guarded, one test serves both.
bool RowWriter::SumWithProduct(const Inst& inst) {
  const bool difference = inst.opcode == Opcode::kF32Sub;
  if (!difference && inst.opcode != Opcode::kF32Add) return false;
  std::string value;
  if (std::optional<std::string> first = context_.expressions.UseProduct(inst.a)) {
    value = (difference ? "wb_f32_mul_sub(" : "wb_f32_mul_add(") + *first + ", " +
            context_.expressions.Use(inst.b) + ")";
  } else if (std::optional<std::string> second = context_.expressions.UseProduct(inst.b)) {
    value = (difference ? "wb_f32_sub_mul(" : "wb_f32_mul_add(") + *second + ", " +
            context_.expressions.Use(inst.a) + ")";
  } else {
    return false;
  }
  context_.expressions.DefinePure(inst.dst, std::move(value), {});
  return true;
}

void RowWriter::Numeric(const Inst& inst) {
  if (SumWithProduct(inst)) return;
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  const bool checked = !facts.check.empty();
  std::string a =
      checked ? context_.expressions.UseOften(inst.a) : context_.expressions.Use(inst.a);
  std::string b;
  if (inst.b != ir::kNoVar) {
    b = checked ? context_.expressions.UseOften(inst.b) : context_.expressions.Use(inst.b);
  }
  std::string args = b.empty() ? a : a + ", " + b;
  if (inst.c != ir::kNoVar) args += ", " + context_.expressions.Use(inst.c);
  if (checked) {
    context_.text.Line("w = ", facts.check, "(", args, ");");
    const std::string why = "(w << WB_WHY_TRAP_SHIFT) | " + Hex(abi::WHY_TRAP | inst.offset);
    context_.text.Line("if (w != 0u) { ", context_.targets.ExitNow(why), " }");
  }
  std::string value, condition;
  if (inst.opcode == Opcode::kI32Eqz || inst.opcode == Opcode::kI64Eqz) {
    condition = a + " == " + LiteralText(facts.a, 0);
  } else if (facts.form == OpcodeForm::kCompare) {
    condition = a + " " + std::string(facts.spelling) + " " + b;
  } else if (facts.form == OpcodeForm::kInfix) {
    value = "(" + a + " " + std::string(facts.spelling) + " " + b + ")";
  } else {
    value = std::string(facts.function) + "(" + args + ")";
  }
  if (!condition.empty()) value = "(uint)(" + condition + ")";
  context_.expressions.DefinePure(inst.dst, std::move(value), {}, std::move(condition));
  if (inst.opcode == Opcode::kF32Mul) context_.expressions.SayProduct(inst.dst, std::move(args));
}

void RowWriter::Copy(const Inst& inst) {
  Expressions& expressions = context_.expressions;
  std::string value = expressions.Use(inst.a);
  if (inst.dst < context_.function.num_locals || expressions.IsFunctionScope(inst.dst)) {
    expressions.BeforeAssign(inst.dst);
    expressions.DefineNow(inst.dst, value);
  } else {
    expressions.DefinePure(inst.dst, std::move(value), {});
  }
}

void RowWriter::Select(const Inst& inst) {
  Expressions& expressions = context_.expressions;
  const std::string condition = expressions.UseCondition(inst.c);
  const std::string a = expressions.Use(inst.a);
  const std::string b = expressions.Use(inst.b);
  expressions.DefinePure(inst.dst, "(" + condition + " ? " + a + " : " + b + ")", {});
}

}  // namespace wb
