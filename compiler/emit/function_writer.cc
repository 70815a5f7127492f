#include "compiler/emit/function_writer.h"

#include <algorithm>

#include "compiler/base/check.h"
#include "compiler/compiler.h"
#include "compiler/emit/names.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

FunctionWriter::FunctionWriter(const ir::Program& program, const LaneLayout& layout,
                               const ir::Function& function, Text& text)
    : program_(program),
      layout_(layout),
      function_(function),
      type_(program.module->type_of(function.index)),
      text_(text),
      expressions_(function, text),
      depth_of_(function.constructs.size(), 0),
      position_of_(function.constructs.size(), 0),
      uses_memory_(UsesMemory()) {}

std::string FunctionWriter::Signature(const ir::Program& program, const ir::Function& function) {
  const FunctionType& type = program.module->type_of(function.index);
  std::string text =
      "static " + ReturnText(type.results) + " " + FunctionText(function.index) + "(wb_lane L, ";
  if (!function.bounded) text += "uint f, uint room, ";
  text += "uint fuel";
  if (!function.bounded) text += ", uint r";
  for (Var param = 0; param < function.num_params; ++param) {
    text += ", " + std::string(TypeText(function.vars[param])) + " l" + std::to_string(param);
  }
  return text + ")";
}

void FunctionWriter::Write() {
  text_.Open(Signature(program_, function_));
  Prologue();
  text_.Open("do");
  Push(0, true, function_.safepoints);
  for (row_ = 0; row_ < function_.insts.size(); ++row_) {
    Visit(function_.insts[row_]);
    if (text_.max_depth() > kMaxBraceDepth || text_.size() > kMaxTextBytes) return;
  }
  CloseGuard();
  text_.Close(" while (false);");
  Epilogue();
  text_.Close();
}

bool FunctionWriter::UsesMemory() const {
  for (const Inst& inst : function_.insts) {
    switch (inst.op) {
      case Op::kLoad:
      case Op::kStore:
      case Op::kMemoryGrow:
      case Op::kMemoryCopyCheck:
      case Op::kMemoryFillCheck: return true;
      default: break;
    }
  }
  return false;
}

// Where nothing grows memory its size is a constant of the text.
std::string FunctionWriter::MemoryBytes() const {
  if (program_.grows_memory) return "mb";
  return std::to_string(uint64_t{program_.image.min_pages} * abi::PAGE_BYTES) + "ul";
}

void FunctionWriter::Prologue() {
  text_.Line("uint w = 0u;");
  for (Var local = function_.num_params; local < function_.num_locals; ++local) {
    text_.Line(TypeText(function_.vars[local]), " l", local, " = ",
               LiteralText(function_.vars[local], 0), ";");
  }
  for (Var var : expressions_.FunctionScopeVars()) {
    text_.Line(TypeText(function_.vars[var]), " t", var, " = ", LiteralText(function_.vars[var], 0),
               ";");
  }
  if (uses_memory_) {
    text_.Line("wb_mem M = wb_memory(L);");
    if (program_.grows_memory) text_.Line("ulong mb = wb_memory_bytes(L);");
  }
  if (function_.bounded) return;
  text_.Open("if (r != 0u)");
  text_.Line("r = wb_get(L, f);");
  uint32_t word = 1;
  for (Var var : function_.frame_vars) {
    if (!expressions_.IsConstant(var)) {
      text_.Line(Expressions::Name(function_, var), " = ",
                 GetText(function_.vars[var], "f + " + std::to_string(word) + "u"), ";");
    }
    word += TypeWords(function_.vars[var]);
  }
  text_.Close();
}

void FunctionWriter::Epilogue() {
  text_.Line(ReturnText(type_.results), " R;");
  text_.Line("R.w = WB_RETURNED;");
  if (exits_) WriteEnd();
  text_.Line("R.fuel = fuel;");
  for (size_t i = 0; i < function_.results.size(); ++i) {
    text_.Line("R.r", i, " = ", expressions_.Use(function_.results[i]), ";");
  }
  text_.Line("return R;");
}

// Traps are recorded in the lane, values alive across a safepoint saved in the frame.
void FunctionWriter::WriteEnd() {
  text_.Open("if (w >= ", Hex(kWhyMemory), ")");
  text_.Line("R.w = wb_end(L, w, ", function_.index, "u);");
  if (!function_.bounded) {
    text_.Open("if (R.w == WB_LEFT)");
    text_.Line("wb_put(L, f, w & 0xfffffffu);");
    uint32_t word = 1;
    for (Var var : function_.frame_vars) {
      std::string value =
          expressions_.IsConstant(var) ? expressions_.Use(var) : Expressions::Name(function_, var);
      if (function_.arithmetic[var]) value = CanonText(function_.vars[var], value);
      text_.Line(PutText(function_.vars[var], "f + " + std::to_string(word) + "u", value));
      word += TypeWords(function_.vars[var]);
    }
    text_.Close();
  }
  text_.Close();
}

uint32_t FunctionWriter::TrapWhy(Trap trap, uint32_t offset) const {
  return kWhyTrap | static_cast<uint32_t>(trap) << 26 | offset;
}

void FunctionWriter::MarkExit() {
  Innermost().escape = 0;
  exits_ = true;
}

void FunctionWriter::ExitIf(const std::string& condition, uint32_t why) {
  text_.Line("if (", condition, ") { w = ", Hex(why), "; break; }");
  MarkExit();
}

void FunctionWriter::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kBlock: OpenBlock(inst); break;
    case Op::kLoop: OpenLoop(inst); break;
    case Op::kIf: OpenIf(inst); break;
    case Op::kElse: Else(inst); break;
    case Op::kEnd: End(inst); break;
    case Op::kBr: Branch(static_cast<uint32_t>(inst.imm)); break;
    case Op::kBrIf: BranchIf(inst); break;
    case Op::kBrTable: BranchTable(inst); break;
    case Op::kSafepoint: Safepoint(static_cast<uint32_t>(inst.imm)); break;
    case Op::kCall: Call(inst); break;
    default: VisitStraight(inst); break;
  }
}

void FunctionWriter::VisitStraight(const Inst& inst) {
  if (inst.op == Op::kPay && inst.imm == 0) return;
  EnsureGuard();
  switch (inst.op) {
    case Op::kNumeric: Numeric(inst); break;
    case Op::kLoad: Load(inst); break;
    case Op::kStore: Store(inst); break;
    case Op::kConst:
      // Literals stand where they are used, but for variables that hold other values too.
      if (!expressions_.IsConstant(inst.dst)) {
        expressions_.DefineNow(inst.dst, LiteralText(function_.vars[inst.dst], inst.imm));
      }
      break;
    case Op::kCopy: Copy(inst); break;
    case Op::kSelect: Select(inst); break;
    case Op::kCanon:
      expressions_.DefinePure(inst.dst,
                              CanonText(function_.vars[inst.dst], expressions_.Use(inst.a)), {});
      break;
    case Op::kGlobalGet:
    case Op::kGlobalSet: GlobalAccess(inst); break;
    case Op::kMemorySize: MemorySize(inst); break;
    case Op::kMemoryGrow: MemoryGrow(inst); break;
    case Op::kTableLookup: TableLookup(inst); break;
    case Op::kMemoryCopyCheck:
    case Op::kMemoryFillCheck:
    case Op::kMemoryCopyChunk:
    case Op::kMemoryFillChunk: Bulk(inst); break;
    case Op::kPay: Pay(std::to_string(inst.imm) + "u"); break;
    case Op::kPayVar: Pay(expressions_.Use(inst.a)); break;
    case Op::kPayPer16: Pay("((" + expressions_.Use(inst.a) + " + 15u) >> 4u)"); break;
    case Op::kTrap:
      text_.Line("w = ", Hex(TrapWhy(static_cast<Trap>(inst.imm), inst.offset)), "; break;");
      MarkExit();
      reachable_ = false;
      break;
    default: WB_CHECK(false);
  }
}

void FunctionWriter::MemorySize(const Inst& inst) {
  expressions_.DefineNow(inst.dst, program_.grows_memory
                                       ? "wb_get(L, WB_LANE_PAGES)"
                                       : std::to_string(program_.image.min_pages) + "u");
}

void FunctionWriter::GlobalAccess(const Inst& inst) {
  const ValueType type = program_.module->globals[inst.imm].type;
  const std::string word =
      std::to_string(layout_.globals_at + program_.global_words[inst.imm]) + "u";
  if (inst.op == Op::kGlobalGet) {
    expressions_.DefineNow(inst.dst, GetText(type, word));
  } else {
    text_.Line(PutText(type, word, expressions_.Use(inst.a)));
  }
}

void FunctionWriter::Numeric(const Inst& inst) {
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  const bool checked = !facts.check.empty();
  std::string a = checked ? expressions_.UseOften(inst.a) : expressions_.Use(inst.a);
  std::string b;
  if (inst.b != ir::kNoVar) {
    b = checked ? expressions_.UseOften(inst.b) : expressions_.Use(inst.b);
  }
  const std::string args = b.empty() ? a : a + ", " + b;
  if (checked) {
    text_.Line("w = ", facts.check, "(", args, ");");
    text_.Line("if (w != 0u) { w = (w << 26u) | ", Hex(kWhyTrap | inst.offset), "; break; }");
    MarkExit();
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
  expressions_.DefinePure(inst.dst, std::move(value), {}, std::move(condition));
}

void FunctionWriter::Load(const Inst& inst) {
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  std::string address = expressions_.UseOften(inst.a);
  ExitIf("wb_outside(" + MemoryBytes() + ", " + address + ", " +
             std::to_string(inst.imm + facts.bytes) + "ul)",
         TrapWhy(Trap::kOutOfBoundsMemory, inst.offset));
  expressions_.DefineNow(inst.dst, std::string(facts.function) + "(M, " + address + ", " +
                                       std::to_string(inst.imm) + "ul)");
}

void FunctionWriter::Store(const Inst& inst) {
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  std::string address = expressions_.UseOften(inst.a);
  std::string value = expressions_.UseOften(inst.b);
  ExitIf("wb_outside(" + MemoryBytes() + ", " + address + ", " +
             std::to_string(inst.imm + facts.bytes) + "ul)",
         TrapWhy(Trap::kOutOfBoundsMemory, inst.offset));
  text_.Line(facts.function, "(M, ", address, ", ", inst.imm, "ul, ", value, ");");
}

void FunctionWriter::Copy(const Inst& inst) {
  std::string value = expressions_.Use(inst.a);
  if (inst.dst < function_.num_locals || expressions_.IsFunctionScope(inst.dst)) {
    expressions_.BeforeAssign(inst.dst);
    expressions_.DefineNow(inst.dst, value);
  } else {
    expressions_.DefinePure(inst.dst, std::move(value), {});
  }
}

void FunctionWriter::Select(const Inst& inst) {
  std::string condition = expressions_.UseCondition(inst.c);
  std::string a = expressions_.Use(inst.a);
  std::string b = expressions_.Use(inst.b);
  expressions_.DefinePure(inst.dst, "(" + condition + " ? " + a + " : " + b + ")", {});
}

void FunctionWriter::MemoryGrow(const Inst& inst) {
  std::string delta = expressions_.Use(inst.a);
  std::string pages = "g" + std::to_string(row_);
  text_.Line("uint ", pages, " = wb_memory_grow(L, ", delta, ");");
  ExitIf(pages + " == 0xfffffffeu", kWhyMemory);
  text_.Line("mb = wb_memory_bytes(L);");
  expressions_.DefineNow(inst.dst, pages);
}

// An entry at or above kLookupTrap is a trap in the form of `w`, but for the place.
void FunctionWriter::TableLookup(const Inst& inst) {
  const ir::Lookup& lookup = program_.lookups[inst.imm];
  const std::string index = expressions_.UseOften(inst.a);
  ExitIf(index + " >= " + std::to_string(lookup.size) + "u",
         TrapWhy(Trap::kUndefinedElement, inst.offset));
  const size_t entries = lookup.entries.size();
  if (entries < lookup.size) {
    ExitIf(index + " >= " + std::to_string(entries) + "u",
           TrapWhy(Trap::kUninitializedElement, inst.offset));
  }
  if (entries == 0) return;
  const std::string entry = "e" + std::to_string(row_);
  text_.Line("uint ", entry, " = ", LookupText(static_cast<uint32_t>(inst.imm)), "[", index, "];");
  const auto traps = [](uint32_t number) { return number >= ir::kLookupTrap; };
  if (std::any_of(lookup.entries.begin(), lookup.entries.end(), traps)) {
    text_.Line("if (", entry, " >= ", Hex(ir::kLookupTrap), ") { w = ", entry, " | ", inst.offset,
               "u; break; }");
    MarkExit();
  }
  expressions_.DefineNow(inst.dst, entry);
}

void FunctionWriter::Bulk(const Inst& inst) {
  std::string a = expressions_.UseOften(inst.a);
  std::string b = inst.b == ir::kNoVar ? "" : expressions_.UseOften(inst.b) + ", ";
  std::string c = expressions_.UseOften(inst.c);
  switch (inst.op) {
    case Op::kMemoryCopyCheck:
      ExitIf("wb_memory_copy_outside(" + MemoryBytes() + ", " + a + ", " + b + c + ")",
             TrapWhy(Trap::kOutOfBoundsMemory, inst.offset));
      break;
    case Op::kMemoryFillCheck:
      ExitIf("wb_memory_fill_outside(" + MemoryBytes() + ", " + a + ", " + c + ")",
             TrapWhy(Trap::kOutOfBoundsMemory, inst.offset));
      break;
    case Op::kMemoryCopyChunk: text_.Line("wb_memory_copy_chunk(M, ", a, ", ", b, c, ");"); break;
    default: text_.Line("wb_memory_fill_chunk(M, ", a, ", ", b, c, ");"); break;
  }
}

void FunctionWriter::Call(const Inst& inst) {
  const ir::Call& call = function_.calls[inst.imm];
  const ir::Function& callee = program_.function(call.callee);
  const FunctionType& type = program_.module->type_of(call.callee);
  const bool may_leave = call.safepoint != 0;
  if (!may_leave) EnsureGuard();
  std::string args;
  for (Var arg : call.args) args += ", " + expressions_.Use(arg);
  bool braced = false;
  if (may_leave) {
    CloseGuard();
    next_safepoint_ = call.safepoint + 1;
    braced = next_safepoint_ <= open_.back().last_safepoint;
    if (braced) text_.Open("if (r <= ", call.safepoint, "u)");
    ExitIf("room < " + std::to_string(callee.stack_slots) + "u",
           TrapWhy(Trap::kStackExhausted, inst.offset));
  }
  const std::string result = "c" + std::to_string(calls_printed_++);
  std::string head = "(L, ";
  if (may_leave) {
    head += "f + " + std::to_string(function_.frame_words) + "u, room - " +
            std::to_string(callee.stack_slots) + "u, ";
  }
  head += may_leave ? "fuel, r" : "fuel";
  text_.Line(ReturnText(type.results), " ", result, " = ", FunctionText(call.callee), head, args,
             ");");
  if (may_leave) text_.Line("r = 0u;");
  text_.Line("fuel = ", result, ".fuel;");
  text_.Line("if (", result, ".w != 0u) { w = wb_unwind(", result, ".w, ", call.safepoint,
             "u); break; }");
  MarkExit();
  if (callee.grows_memory && uses_memory_) text_.Line("mb = wb_memory_bytes(L);");
  for (size_t i = 0; i < call.results.size(); ++i) {
    expressions_.DefineNow(call.results[i], result + ".r" + std::to_string(i));
  }
  if (braced) text_.Close();
}

}  // namespace wb
