#include "compiler/emit/function/table_writer.h"

#include "compiler/emit/text/names.h"

namespace wb {

using ir::Inst;

std::string TableWriter::Word(uint32_t table) const {
  return std::to_string(context_.layout.globals_at + context_.program.tables[table].at) + "u";
}

std::string TableWriter::ElementWord(const Inst& inst) {
  return Word(static_cast<uint32_t>(inst.imm)) + " + " + context_.expressions.UseOften(inst.a);
}

void TableWriter::Get(const Inst& inst) {
  context_.expressions.DefineNow(inst.dst, "wb_get(L, " + ElementWord(inst) + ")");
}

void TableWriter::Set(const Inst& inst) {
  const std::string word = ElementWord(inst);
  context_.text.Line("wb_put(L, ", word, ", ", context_.expressions.UseOften(inst.b), ");");
}

void TableWriter::Chunk(const Inst& inst, const char* function, uint32_t table,
                        const std::string& source) {
  const std::string to = context_.expressions.Use(inst.a);
  const std::string from = context_.expressions.Use(inst.b);
  const std::string count = context_.expressions.Use(inst.c);
  context_.text.Line(function, "(L, ", Word(table), ", ", to, ", ", source, from, ", ", count,
                     ");");
}

void TableWriter::FillChunk(const Inst& inst) {
  Chunk(inst, "wb_table_fill_chunk", static_cast<uint32_t>(inst.imm), "");
}

void TableWriter::CopyChunk(const Inst& inst) {
  const ir::TableCopy& copy = context_.function.table_copies[inst.imm];
  Chunk(inst, "wb_table_copy_chunk", copy.to, Word(copy.from) + ", ");
}

void TableWriter::InitChunk(const Inst& inst) {
  const ir::TableInit& init = context_.function.table_inits[inst.imm];
  Chunk(inst, "wb_table_init_chunk", init.table, ElementsText(init.segment) + ", ");
}

std::string TableWriter::Size(const ir::Table& table) const {
  if (table.size_global == ir::kNoGlobal) return std::to_string(table.size) + "u";
  return GetText(ValueType::kI32, context_.GlobalWord(table.size_global));
}

// An element of a table in the lane names a function. Constant tables hold numbers.
bool TableWriter::Fetch(const Inst& inst, uint32_t index_of_table, const std::string& index,
                        const std::string& entry) {
  const ir::Table& table = context_.program.tables[index_of_table];
  const uint32_t null_why = TrapWhy(Trap::kUninitializedElement, inst.offset);
  if (table.in_lane) {
    context_.text.Line("uint ", entry, " = wb_get(L, ", Word(index_of_table), " + ", index, ");");
    context_.targets.ExitIf(entry + " == 0u", null_why);
    context_.text.Line(entry, " = ", kNumbersText, "[", entry, " - 1u];");
    return true;
  }
  const size_t elements = table.elements.size();
  if (elements < table.size) {
    context_.targets.ExitIf(index + " >= " + std::to_string(elements) + "u", null_why);
  }
  if (elements == 0) return false;
  context_.text.Line("uint ", entry, " = ", TableText(index_of_table), "[", index, "];");
  if (table.has_null) context_.targets.ExitIf(entry + " == 0u", null_why);
  return true;
}

void TableWriter::Lookup(const Inst& inst, uint32_t row) {
  const ir::TableLookup& what = context_.function.table_lookups[inst.imm];
  const ir::Lookup& lookup = context_.program.lookups[what.lookup];
  const std::string index = context_.expressions.UseOften(inst.a);
  const std::string entry = "e" + std::to_string(row);
  context_.targets.ExitIf(index + " >= " + Size(context_.program.tables[what.table]),
                          TrapWhy(Trap::kUndefinedElement, inst.offset));
  if (!Fetch(inst, what.table, index, entry)) return;
  if (lookup.count == 0) return;  // the row behind this one traps
  if (lookup.others) {
    context_.targets.ExitIf(
        entry + " - " + std::to_string(lookup.first) + "u >= " + std::to_string(lookup.count) + "u",
        TrapWhy(Trap::kIndirectCallType, inst.offset));
  }
  context_.expressions.DefineNow(inst.dst, entry);
}

void TableWriter::CheckRoom(const Inst& inst) {
  const ir::Function& function = context_.function;
  const ir::RoomCheck& check = function.room_checks[inst.imm];
  const ir::Lookup& lookup = context_.program.lookups[check.lookup];
  if (context_.program.function(lookup.trampoline).bounded) return;
  const std::string own =
      check.in_callers_place ? " + " + std::to_string(function.stack_slots) + "u" : "";
  context_.text.Line("if (room", own, " < ", kSlotsText, "[", context_.expressions.UseOften(inst.a),
                     "]) { ", context_.targets.Exit(ExhaustedText(inst.offset)), " }");
}

}  // namespace wb
