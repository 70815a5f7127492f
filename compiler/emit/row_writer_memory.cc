// RowWriter: rows on memories. Every access is checked. Writes to the first memory note where they
// write, so that the next instance in the lane finds it clean.

#include <string>
#include <utility>

#include "compiler/emit/names.h"
#include "compiler/emit/row_writer.h"

namespace wb {

using ir::Inst;
using ir::Op;

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

// A note serves stores that end up to SPILL_BYTES behind its address, since clearing goes that far.
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

void RowWriter::MemorySize(const Inst& inst) {
  expressions_.DefineNow(inst.dst, program_.grows_memory
                                       ? "wb_get(L, WB_LANE_PAGES)"
                                       : std::to_string(program_.memories[0].min_pages) + "u");
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
  ExitIf(pages + " == WB_GROW_LEAVES", abi::WHY_LEFT | static_cast<uint32_t>(inst.imm));
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
