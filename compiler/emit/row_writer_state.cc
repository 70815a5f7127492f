// RowWriter: rows that read segments, and tables.

#include "compiler/emit/names.h"
#include "compiler/emit/row_writer.h"

namespace wb {

using ir::Inst;
using ir::Op;

namespace {

uint32_t Low(uint64_t imm) { return static_cast<uint32_t>(imm); }
uint32_t High(uint64_t imm) { return static_cast<uint32_t>(imm >> 32); }

}  // namespace

void RowWriter::RangeCheck(const Inst& inst) {
  const std::string start = expressions_.UseOften(inst.a);
  const std::string size = expressions_.Use(inst.b);
  const std::string count = expressions_.UseOften(inst.c);
  ExitIf("wb_outside((ulong)" + size + ", " + start + ", (ulong)" + count + ")",
         TrapWhy(static_cast<Trap>(inst.imm), inst.offset));
}

void RowWriter::MemoryInitChunk(const Inst& inst) {
  const std::string to = expressions_.UseOften(inst.a);
  const std::string from = expressions_.Use(inst.b);
  const std::string count = expressions_.UseOften(inst.c);
  NoteSpans("wb_spans_of(" + to + ", " + count);
  text_.Line("wb_memory_init_chunk(", MemoryText(inst.memory), ", ", to, ", ",
             DataText(Low(inst.imm)), ", ", from, ", ", count, ");");
}

std::string RowWriter::TableWord(uint32_t table) const {
  return std::to_string(layout_.globals_at + program_.tables[table].at) + "u";
}

void RowWriter::TableElement(const Inst& inst) {
  const std::string word = TableWord(Low(inst.imm)) + " + " + expressions_.UseOften(inst.a);
  if (inst.op == Op::kTableGet) {
    expressions_.DefineNow(inst.dst, "wb_get(L, " + word + ")");
  } else {
    text_.Line("wb_put(L, ", word, ", ", expressions_.UseOften(inst.b), ");");
  }
}

void RowWriter::TableChunk(const Inst& inst) {
  const std::string to = expressions_.Use(inst.a);
  const std::string from = expressions_.Use(inst.b);
  const std::string count = expressions_.Use(inst.c);
  const std::string head = "(L, " + TableWord(Low(inst.imm)) + ", " + to + ", ";
  const std::string tail = from + ", " + count + ");";
  if (inst.op == Op::kTableFillChunk) {
    text_.Line("wb_table_fill_chunk", head, tail);
  } else if (inst.op == Op::kTableCopyChunk) {
    text_.Line("wb_table_copy_chunk", head, TableWord(High(inst.imm)), ", ", tail);
  } else {
    text_.Line("wb_table_init_chunk", head, ElementsText(High(inst.imm)), ", ", tail);
  }
}

// An element of a table in the lane names a function; constant tables hold numbers at once.
void RowWriter::TableLookup(const Inst& inst) {
  const ir::Table& table = program_.tables[High(inst.imm)];
  const ir::Lookup& lookup = program_.lookups[Low(inst.imm)];
  const std::string index = expressions_.UseOften(inst.a);
  const std::string entry = "e" + std::to_string(row_);
  std::string size = std::to_string(table.size) + "u";
  if (table.size_global != ir::kNoGlobal) {
    size = GetText(ValueType::kI32, GlobalWord(table.size_global));
  }
  ExitIf(index + " >= " + size, TrapWhy(Trap::kUndefinedElement, inst.offset));
  const uint32_t null_why = TrapWhy(Trap::kUninitializedElement, inst.offset);
  if (table.in_lane) {
    text_.Line("uint ", entry, " = wb_get(L, ", TableWord(High(inst.imm)), " + ", index, ");");
    ExitIf(entry + " == 0u", null_why);
    text_.Line(entry, " = ", kNumbersText, "[", entry, " - 1u];");
  } else {
    const size_t elements = table.elements.size();
    if (elements < table.size) ExitIf(index + " >= " + std::to_string(elements) + "u", null_why);
    if (elements == 0) return;
    text_.Line("uint ", entry, " = ", TableText(High(inst.imm)), "[", index, "];");
    if (table.has_null) ExitIf(entry + " == 0u", null_why);
  }
  if (lookup.count == 0) return;  // the row behind this one traps
  if (lookup.others) {
    ExitIf(
        entry + " - " + std::to_string(lookup.first) + "u >= " + std::to_string(lookup.count) + "u",
        TrapWhy(Trap::kIndirectCallType, inst.offset));
  }
  expressions_.DefineNow(inst.dst, entry);
}

void RowWriter::CheckRoom(const Inst& inst) {
  const ir::Lookup& lookup = program_.lookups[Low(inst.imm)];
  if (program_.function(lookup.trampoline).bounded) return;
  const std::string own =
      High(inst.imm) == 0 ? "" : " + " + std::to_string(function_.stack_slots) + "u";
  text_.Line("if (room", own, " < ", kSlotsText, "[", expressions_.UseOften(inst.a),
             "]) { w = wb_exhausted(L, ", Hex(TrapWhy(Trap::kStackExhausted, inst.offset)),
             "); break; }");
  MarkExit();
}

}  // namespace wb
