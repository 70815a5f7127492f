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

std::string RowWriter::MemoryText(uint32_t memory) {
  return memory == 0 ? "M" : "M" + std::to_string(memory);
}

// Where nothing grows a memory its size is a constant of the text.
std::string RowWriter::MemoryBytes(uint32_t memory) const {
  const ir::Memory& facts = program_.memories[memory];
  if (!facts.grows) return std::to_string(uint64_t{facts.min_pages} * abi::PAGE_BYTES) + "ul";
  if (memory == 0) return "mb";
  return "wb_bytes_of(" + GetText(ValueType::kI32, GlobalWord(facts.pages_global)) + ")";
}

uint32_t RowWriter::TrapWhy(Trap trap, uint32_t offset) {
  return kWhyTrap | static_cast<uint32_t>(trap) << 26 | offset;
}

void RowWriter::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kNumeric: Numeric(inst); break;
    case Op::kLoad: Load(inst); break;
    case Op::kStore: Store(inst); break;
    case Op::kConst:
      // Literals stand where they are used, but for variables that hold other values too.
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

void RowWriter::MemorySize(const Inst& inst) {
  expressions_.DefineNow(inst.dst, program_.grows_memory
                                       ? "wb_get(L, WB_LANE_PAGES)"
                                       : std::to_string(program_.memories[0].min_pages) + "u");
}

std::string RowWriter::GlobalWord(uint32_t global) const {
  return std::to_string(layout_.globals_at + program_.global_words[global]) + "u";
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

// A product that only this sum reads becomes one call with it (two roundings all the same): where
// f32 is guarded, one look serves both.
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
  if (inst.opcode == Opcode::kF32Mul) expressions_.SayProduct(inst.dst, std::move(args));
}

void RowWriter::Load(const Inst& inst) {
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  std::string address = expressions_.UseOften(inst.a);
  ExitIf("wb_outside(" + MemoryBytes(inst.memory) + ", " + address + ", " +
             std::to_string(inst.imm + facts.bytes) + "ul)",
         TrapWhy(Trap::kOutOfBoundsMemory, inst.offset));
  std::string args =
      "(" + MemoryText(inst.memory) + ", " + address + ", " + std::to_string(inst.imm) + "ul";
  if (inst.b != ir::kNoVar) args += ", " + expressions_.Use(inst.b);
  if (inst.c != ir::kNoVar) args += ", " + expressions_.Use(inst.c);
  expressions_.DefineNow(inst.dst, std::string(facts.function) + args + ")");
}

void RowWriter::Store(const Inst& inst) {
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  std::string address = expressions_.UseOften(inst.a);
  std::string value = expressions_.UseOften(inst.b);
  ExitIf("wb_outside(" + MemoryBytes(inst.memory) + ", " + address + ", " +
             std::to_string(inst.imm + facts.bytes) + "ul)",
         TrapWhy(Trap::kOutOfBoundsMemory, inst.offset));
  NoteStore(address, inst.imm, facts.bytes);
  const std::string lane = inst.c == ir::kNoVar ? "" : ", " + expressions_.Use(inst.c);
  text_.Line(facts.function, "(", MemoryText(inst.memory), ", ", address, ", ", inst.imm, "ul, ",
             value, lane, ");");
}

// A note serves stores that end up to SPILL_BYTES behind its address: the clearing goes so far.
void RowWriter::NoteStore(const std::string& address, uint64_t offset, uint32_t bytes) {
  if (!notes_writes_) return;
  const auto noted = noted_.find(address);
  if (noted != noted_.end() && noted->second <= offset &&
      offset + bytes - noted->second <= abi::SPILL_BYTES) {
    return;
  }
  noted_[address] = offset;
  const std::string from = offset == 0 ? address : address + " + " + std::to_string(offset) + "u";
  NoteSpans("wb_span_of(" + from);
}

void RowWriter::NoteSpans(const std::string& call) {
  if (notes_writes_) text_.Line("D = D | ", call, ", ", layout_.span_shift, "u);");
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

void RowWriter::MemoryGrow(const Inst& inst) {
  std::string delta = expressions_.Use(inst.a);
  std::string pages = "g" + std::to_string(row_);
  std::string call = "wb_memory_grow(L, ";
  if (program_.memories.size() > 1) {
    const ir::Memory& memory = program_.memories[inst.memory];
    const std::string word = inst.memory == 0 ? "WB_LANE_PAGES" : GlobalWord(memory.pages_global);
    call = "wb_memory_grow_at(L, " + std::to_string(inst.memory) + "u, " + word + ", " +
           std::to_string(memory.max_pages) + "u, ";
  }
  text_.Line("uint ", pages, " = ", call, delta, ");");
  ExitIf(pages + " == 0xfffffffeu", kWhyLeft | static_cast<uint32_t>(inst.imm));
  if (inst.memory == 0) text_.Line("mb = wb_memory_bytes(L);");
  expressions_.DefineNow(inst.dst, pages);
}

void RowWriter::Bulk(const Inst& inst) {
  std::string a = expressions_.UseOften(inst.a);
  std::string b = inst.b == ir::kNoVar ? "" : expressions_.UseOften(inst.b) + ", ";
  std::string c = expressions_.UseOften(inst.c);
  const std::string memory = MemoryText(inst.memory);
  switch (inst.op) {
    case Op::kMemoryCopyCheck:
      ExitIf("wb_memory_copy_outside(" + MemoryBytes(inst.memory) + ", " + a + ", " + b + c + ")",
             TrapWhy(Trap::kOutOfBoundsMemory, inst.offset));
      break;
    case Op::kMemoryFillCheck:
      ExitIf("wb_memory_fill_outside(" + MemoryBytes(inst.memory) + ", " + a + ", " + c + ")",
             TrapWhy(Trap::kOutOfBoundsMemory, inst.offset));
      break;
    case Op::kMemoryCopyChunk:
      NoteSpans("wb_chunk_spans(" + a + ", " + b + c);
      if (inst.imm == inst.memory) {
        text_.Line("wb_memory_copy_chunk(", memory, ", ", a, ", ", b, c, ");");
      } else {
        text_.Line("wb_memory_copy_between(", memory, ", ", a, ", ",
                   MemoryText(static_cast<uint32_t>(inst.imm)), ", ", b, c, ");");
      }
      break;
    default:
      NoteSpans("wb_spans_of(" + a + ", " + c);
      text_.Line("wb_memory_fill_chunk(", memory, ", ", a, ", ", b, c, ");");
      break;
  }
}

}  // namespace wb
