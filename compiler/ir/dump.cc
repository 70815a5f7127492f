#include <cinttypes>
#include <cstdio>
#include <iterator>

#include "compiler/ir/ir.h"

namespace wb::ir {
namespace {

constexpr std::string_view kNames[] = {
    "numeric",
    "load",
    "store",
    "const",
    "copy",
    "select",
    "canon",
    "global.get",
    "global.set",
    "memory.size",
    "memory.grow",
    "copy.check",
    "fill.check",
    "copy.chunk",
    "fill.chunk",
    "init.chunk",
    "range.check",
    "table.get",
    "table.set",
    "table.fill.chunk",
    "table.copy.chunk",
    "table.init.chunk",
    "pay",
    "pay.var",
    "pay.per16",
    "safepoint",
    "stage.put",
    "stage.get",
    "together",
    "collect",
    "group.access",
    "ask",
    "call",
    "trap",
    "block",
    "loop",
    "if",
    "else",
    "end",
    "br",
    "br_if",
    "br_table",
    "table.lookup",
    "check.room",
};
static_assert(std::size(kNames) == static_cast<size_t>(Op::kCheckRoom) + 1);

std::string VarName(const Function& function, Var var) {
  return (var < function.num_locals ? "l" : "t") + std::to_string(var);
}

std::string Operands(const Function& function, const Inst& inst) {
  std::string text;
  for (Var var : {inst.a, inst.b, inst.c}) {
    if (var != kNoVar) text += " " + VarName(function, var);
  }
  return text;
}

std::string CallText(const Function& function, const Call& call) {
  std::string text = (call.tail ? " tail f" : " f") + std::to_string(call.callee);
  for (Var arg : call.args) text += " " + VarName(function, arg);
  text += " ->";
  for (Var result : call.results) text += " " + VarName(function, result);
  if (call.safepoint != 0) text += " @" + std::to_string(call.safepoint);
  return text;
}

// The immediates of a row, by what they stand for.
std::string Immediates(const Function& function, const Inst& inst) {
  const auto words = [](uint32_t a, uint32_t b) {
    return " " + std::to_string(a) + " " + std::to_string(b);
  };
  switch (inst.op) {
    case Op::kNumeric:
    case Op::kCopy:
    case Op::kSelect: return "";
    case Op::kTableLookup: {
      const TableLookup& lookup = function.table_lookups[inst.imm];
      return words(lookup.table, lookup.lookup);
    }
    case Op::kTableCopyChunk: {
      const TableCopy& copy = function.table_copies[inst.imm];
      return words(copy.to, copy.from);
    }
    case Op::kTableInitChunk: {
      const TableInit& init = function.table_inits[inst.imm];
      return words(init.table, init.segment);
    }
    case Op::kCheckRoom: {
      const RoomCheck& check = function.room_checks[inst.imm];
      return " " + std::to_string(check.lookup) + (check.in_callers_place ? " tail" : "");
    }
    default: return " " + std::to_string(inst.imm);
  }
}

std::string Row(const Function& function, const Inst& inst) {
  std::string text;
  if (inst.dst != kNoVar) text += VarName(function, inst.dst) + " = ";
  const bool by_opcode = inst.op == Op::kNumeric || inst.op == Op::kLoad || inst.op == Op::kStore;
  text += by_opcode ? FactsOf(inst.opcode).text : kNames[static_cast<size_t>(inst.op)];
  if (inst.op == Op::kCall) return text + CallText(function, function.calls[inst.imm]);
  text += Operands(function, inst);
  if (inst.memory != 0) text += " memory " + std::to_string(inst.memory);
  if (inst.op == Op::kBrTable) {
    for (uint32_t target : function.br_tables[inst.imm]) text += " c" + std::to_string(target);
  } else if (inst.op == Op::kConst && function.vars[inst.dst] == ValueType::kV128) {
    for (uint32_t word : function.vectors[inst.imm]) text += " " + std::to_string(word);
  } else {
    text += Immediates(function, inst);
  }
  return text;
}

std::string Header(const Function& function) {
  std::string text = "function " + std::to_string(function.index);
  text += function.bounded ? " bounded worst " + std::to_string(function.worst_cost)
                           : " slots " + std::to_string(function.stack_slots) + " safepoints " +
                                 std::to_string(function.safepoints);
  if (function.synthetic) text += " synthetic";
  if (function.part_of != kNoFunction) text += " part of " + std::to_string(function.part_of);
  if (function.recursive) text += " recursive";
  if (!function.bounded) {
    text += " frame " + std::to_string(function.frame_words) + ":";
    for (Var var : function.frame_vars) {
      text += " " + VarName(function, var) + (function.arithmetic[var] ? "~" : "");
    }
  }
  return text + "\n";
}

}  // namespace

std::string Dump(const Function& function) {
  std::string text = Header(function);
  size_t depth = 1;
  for (const Inst& inst : function.insts) {
    if (inst.op == Op::kPay && inst.imm == 0) continue;
    if (inst.op == Op::kEnd || inst.op == Op::kElse) --depth;
    text += std::string(2 * depth, ' ') + Row(function, inst) + "\n";
    if (inst.op == Op::kBlock || inst.op == Op::kLoop || inst.op == Op::kIf ||
        inst.op == Op::kElse) {
      ++depth;
    }
  }
  text += "  ->";
  for (Var result : function.results) text += " " + VarName(function, result);
  return text + "\n";
}

}  // namespace wb::ir
