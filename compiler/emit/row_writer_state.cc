// RowWriter: rows that read segments, and tables.

#include "compiler/emit/names.h"
#include "compiler/emit/row_writer.h"

namespace wb {

using ir::Inst;
using ir::Op;

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
             DataText(static_cast<uint32_t>(inst.imm)), ", ", from, ", ", count, ");");
}

std::string RowWriter::TableWord(uint32_t table) const {
  return std::to_string(layout_.globals_at + program_.tables[table].at) + "u";
}

void RowWriter::TableElement(const Inst& inst) {
  const std::string word =
      TableWord(static_cast<uint32_t>(inst.imm)) + " + " + expressions_.UseOften(inst.a);
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
  const auto line = [&](std::string_view function, uint32_t table, const std::string& source) {
    text_.Line(function, "(L, ", TableWord(table), ", ", to, ", ", source, from, ", ", count, ");");
  };
  if (inst.op == Op::kTableFillChunk) {
    line("wb_table_fill_chunk", static_cast<uint32_t>(inst.imm), "");
  } else if (inst.op == Op::kTableCopyChunk) {
    const ir::TableCopy& copy = function_.table_copies[inst.imm];
    line("wb_table_copy_chunk", copy.to, TableWord(copy.from) + ", ");
  } else {
    const ir::TableInit& init = function_.table_inits[inst.imm];
    line("wb_table_init_chunk", init.table, ElementsText(init.segment) + ", ");
  }
}

// An element of a table in the lane names a function. Constant tables hold numbers.
void RowWriter::TableLookup(const Inst& inst) {
  const ir::TableLookup& row = function_.table_lookups[inst.imm];
  const ir::Table& table = program_.tables[row.table];
  const ir::Lookup& lookup = program_.lookups[row.lookup];
  const std::string index = expressions_.UseOften(inst.a);
  const std::string entry = "e" + std::to_string(row_);
  std::string size = std::to_string(table.size) + "u";
  if (table.size_global != ir::kNoGlobal) {
    size = GetText(ValueType::kI32, GlobalWord(table.size_global));
  }
  ExitIf(index + " >= " + size, TrapWhy(Trap::kUndefinedElement, inst.offset));
  const uint32_t null_why = TrapWhy(Trap::kUninitializedElement, inst.offset);
  if (table.in_lane) {
    text_.Line("uint ", entry, " = wb_get(L, ", TableWord(row.table), " + ", index, ");");
    ExitIf(entry + " == 0u", null_why);
    text_.Line(entry, " = ", kNumbersText, "[", entry, " - 1u];");
  } else {
    const size_t elements = table.elements.size();
    if (elements < table.size) ExitIf(index + " >= " + std::to_string(elements) + "u", null_why);
    if (elements == 0) return;
    text_.Line("uint ", entry, " = ", TableText(row.table), "[", index, "];");
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
  const ir::RoomCheck& check = function_.room_checks[inst.imm];
  const ir::Lookup& lookup = program_.lookups[check.lookup];
  if (program_.function(lookup.trampoline).bounded) return;
  const std::string own =
      check.in_callers_place ? " + " + std::to_string(function_.stack_slots) + "u" : "";
  text_.Line("if (room", own, " < ", kSlotsText, "[", expressions_.UseOften(inst.a),
             "]) { w = wb_exhausted(L, ", Hex(TrapWhy(Trap::kStackExhausted, inst.offset)),
             "); break; }");
  MarkExit();
}

}  // namespace wb
