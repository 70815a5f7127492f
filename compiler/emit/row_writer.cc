#include "compiler/emit/row_writer.h"

#include <algorithm>
#include <optional>

#include "compiler/base/check.h"
#include "compiler/emit/names.h"

namespace wb {

using ir::Inst;
using ir::Op;

namespace {

std::set<uint32_t> MemoriesOf(const ir::Function& function) {
  std::set<uint32_t> memories;
  for (const Inst& inst : function.insts) {
    switch (inst.op) {
      case Op::kLoad:
      case Op::kStore:
      case Op::kMemoryGrow:
      case Op::kMemoryCopyCheck:
      case Op::kMemoryFillCheck:
      case Op::kMemoryFillChunk:
      case Op::kMemoryInitChunk: memories.insert(inst.memory); break;
      case Op::kMemoryCopyChunk:
        memories.insert(inst.memory);
        memories.insert(static_cast<uint32_t>(inst.imm));
        break;
      default: break;
    }
  }
  return memories;
}

// Where there are several memories they are cleared whole.
bool NotesWrites(const ir::Program& program, const ir::Function& function) {
  if (program.memories.size() != 1) return false;
  for (const Inst& inst : function.insts) {
    switch (inst.op) {
      case Op::kStore:
      case Op::kMemoryCopyChunk:
      case Op::kMemoryFillChunk:
      case Op::kMemoryInitChunk: return true;
      default: break;
    }
  }
  return false;
}

}  // namespace

RowWriter::RowWriter(const ir::Program& program, const LaneLayout& layout,
                     const ir::Function& function, Expressions& expressions, Text& text)
    : program_(program),
      layout_(layout),
      function_(function),
      expressions_(expressions),
      text_(text),
      memories_(MemoriesOf(function)),
      notes_writes_(NotesWrites(program, function)) {}

bool RowWriter::Write(uint32_t row) {
  row_ = row;
  exits_ = false;
  const Inst& inst = function_.insts[row];
  Visit(inst);
  if (inst.dst != ir::kNoVar) noted_.erase(Expressions::Name(function_, inst.dst));
  return exits_;
}

void RowWriter::ExitIf(const std::string& condition, uint32_t why) {
  text_.Line("if (", condition, ") { w = ", Hex(why), "; break; }");
  MarkExit();
}

void RowWriter::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kNumeric: Numeric(inst); break;
    case Op::kLoad: Load(inst); break;
    case Op::kStore: Store(inst); break;
    case Op::kConst:
      // A literal stands where it is used, unless its variable holds other values too.
      if (!expressions_.IsConstant(inst.dst)) {
        expressions_.DefineNow(inst.dst, Expressions::ConstantText(function_, inst.dst, inst.imm));
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
    case Op::kRangeCheck: RangeCheck(inst); break;
    case Op::kMemoryInitChunk: MemoryInitChunk(inst); break;
    case Op::kTableGet:
    case Op::kTableSet: TableElement(inst); break;
    case Op::kTableFillChunk:
    case Op::kTableCopyChunk:
    case Op::kTableInitChunk: TableChunk(inst); break;
    case Op::kCheckRoom: CheckRoom(inst); break;
    case Op::kStagePut:
      text_.Line(PutText(function_.vars[inst.a], StageWord(inst), expressions_.Use(inst.a)));
      break;
    case Op::kStageGet:
      expressions_.DefineNow(inst.dst, GetText(function_.vars[inst.dst], StageWord(inst)));
      break;
    case Op::kPay: Pay(std::to_string(inst.imm) + "u"); break;
    case Op::kPayVar: Pay(expressions_.Use(inst.a)); break;
    case Op::kPayPer16: Pay("((" + expressions_.Use(inst.a) + " + 15u) >> 4u)"); break;
    case Op::kTrap:
      text_.Line("w = ", Hex(TrapWhy(static_cast<Trap>(inst.imm), inst.offset)), "; break;");
      MarkExit();
      break;
    default: WB_CHECK(false);
  }
}

std::string RowWriter::GlobalWord(uint32_t global) const {
  return std::to_string(layout_.globals_at + program_.global_words[global]) + "u";
}

std::string RowWriter::StageWord(const Inst& inst) const {
  return std::to_string(layout_.stage_at + inst.imm) + "u";
}

void RowWriter::GlobalAccess(const Inst& inst) {
  const ValueType type = function_.vars[inst.op == Op::kGlobalGet ? inst.dst : inst.a];
  const std::string word = GlobalWord(static_cast<uint32_t>(inst.imm));
  if (inst.op == Op::kGlobalGet) {
    expressions_.DefineNow(inst.dst, GetText(type, word));
  } else {
    text_.Line(PutText(type, word, expressions_.Use(inst.a)));
  }
}

// A product that only this sum reads becomes one call with it, which still rounds twice: where f32
// is guarded, one test serves both.
bool RowWriter::SumWithProduct(const Inst& inst) {
  const bool difference = inst.opcode == Opcode::kF32Sub;
  if (!difference && inst.opcode != Opcode::kF32Add) return false;
  std::string value;
  if (std::optional<std::string> first = expressions_.UseProduct(inst.a)) {
    value = (difference ? "wb_f32_mul_sub(" : "wb_f32_mul_add(") + *first + ", " +
            expressions_.Use(inst.b) + ")";
  } else if (std::optional<std::string> second = expressions_.UseProduct(inst.b)) {
    value = (difference ? "wb_f32_sub_mul(" : "wb_f32_mul_add(") + *second + ", " +
            expressions_.Use(inst.a) + ")";
  } else {
    return false;
  }
  expressions_.DefinePure(inst.dst, std::move(value), {});
  return true;
}

void RowWriter::Numeric(const Inst& inst) {
  if (SumWithProduct(inst)) return;
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  const bool checked = !facts.check.empty();
  std::string a = checked ? expressions_.UseOften(inst.a) : expressions_.Use(inst.a);
  std::string b;
  if (inst.b != ir::kNoVar) {
    b = checked ? expressions_.UseOften(inst.b) : expressions_.Use(inst.b);
  }
  std::string args = b.empty() ? a : a + ", " + b;
  if (inst.c != ir::kNoVar) args += ", " + expressions_.Use(inst.c);
  if (checked) {
    text_.Line("w = ", facts.check, "(", args, ");");
    text_.Line("if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | ", Hex(abi::WHY_TRAP | inst.offset),
               "; break; }");
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
  if (inst.opcode == Opcode::kF32Mul) expressions_.SayProduct(inst.dst, std::move(args));
}

void RowWriter::Copy(const Inst& inst) {
  std::string value = expressions_.Use(inst.a);
  if (inst.dst < function_.num_locals || expressions_.IsFunctionScope(inst.dst)) {
    expressions_.BeforeAssign(inst.dst);
    expressions_.DefineNow(inst.dst, value);
  } else {
    expressions_.DefinePure(inst.dst, std::move(value), {});
  }
}

void RowWriter::Select(const Inst& inst) {
  std::string condition = expressions_.UseCondition(inst.c);
  std::string a = expressions_.Use(inst.a);
  std::string b = expressions_.Use(inst.b);
  expressions_.DefinePure(inst.dst, "(" + condition + " ? " + a + " : " + b + ")", {});
}

}  // namespace wb
