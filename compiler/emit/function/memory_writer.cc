#include "compiler/emit/function/memory_writer.h"

#include <utility>

#include "compiler/emit/text/data_copy.h"
#include "compiler/emit/text/names.h"

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

uint64_t BytesOf(const ir::Memory& memory) { return uint64_t{memory.min_pages} * abi::PAGE_BYTES; }
std::string BytesText(const ir::Memory& memory) { return std::to_string(BytesOf(memory)) + "ul"; }

bool HasPlace(const RowContext& context, const Inst& inst, uint32_t row) {
  if (context.expressions.IsConstant(inst.a)) return true;
  return context.function.PlaceOf(row).bits >= (inst.op == Op::kStore ? 2 : 1);
}

uint32_t OutOfBounds(const Inst& inst) { return TrapWhy(Trap::kOutOfBoundsMemory, inst.offset); }

}  // namespace

MemoryWriter::MemoryWriter(const RowContext& context)
    : context_(context),
      memories_(MemoriesOf(context.function)),
      notes_(context.program, context.layout, context.function, context.text) {}

std::string MemoryWriter::Pointer(uint32_t memory) {
  return memory == 0 ? "M" : "M" + std::to_string(memory);
}

std::string MemoryWriter::First() const {
  return context_.hot.empty() ? "wb_memory(L)" : "wb_hot_memory(L)";
}

// Where nothing grows a memory its size is a constant of the text.
std::string MemoryWriter::Bytes(uint32_t memory) const {
  const ir::Memory& facts = context_.program.memories[memory];
  if (IsWindowed(memory)) return "mb";
  if (!facts.grows) return BytesText(facts);
  if (memory == 0) return "mb";
  return "wb_bytes_of(" + GetText(ValueType::kI32, context_.GlobalWord(facts.pages_global)) + ")";
}

std::string MemoryWriter::Miss(uint32_t memory, const char* misses, const char* outside) const {
  if (!IsWindowed(memory)) return std::string(outside) + "(" + Bytes(memory) + ", ";
  return std::string(misses) + "(L, mb, ml, ";
}

std::string MemoryWriter::InsideFirst() const {
  return IsWindowed(0) ? "wb_within(mb, ml, " : "wb_inside(" + Bytes(0) + ", ";
}

// `mb`: where accesses to the first memory end; `ml`: from where on the lane has it.
void MemoryWriter::DeclareSize() const {
  const bool grows = context_.program.grows_memory;
  if (IsWindowed(0)) {
    const ir::Memory& first = context_.program.memories[0];
    context_.text.Line(
        "ulong mb = ", grows ? "wb_memory_bytes(L)" : "wb_held_bytes(L, " + BytesText(first) + ")",
        ";");
    context_.text.Line("ulong ml = wb_window_low(L);");
  } else if (grows) {
    context_.text.Line("ulong mb = wb_memory_bytes(L);");
  }
}

void MemoryWriter::ReadSize() const { context_.text.Line("mb = wb_memory_bytes(L);"); }

void MemoryWriter::CheckAccess(const Inst& inst, uint32_t row, const std::string& address) {
  if (context_.function.IsInside(row)) return;
  const uint64_t end = inst.imm + FactsOf(inst.opcode).bytes;
  const ir::Memory& facts = context_.program.memories[inst.memory];
  const bool is_fixed = !IsWindowed(inst.memory) && !facts.grows;
  if (is_fixed && end <= BytesOf(facts)) {
    const std::string last = std::to_string(BytesOf(facts) - end);
    return context_.targets.ExitIf("wb_beyond(" + address + ", " + last + "u)", OutOfBounds(inst));
  }
  context_.targets.ExitIf(
      Miss(inst.memory, "wb_misses", "wb_outside") + address + ", " + std::to_string(end) + "ul)",
      OutOfBounds(inst));
}

// An address that is known to be a multiple of 4 or 2, or whose lowest bits are, says so in the
// text: where a lane's words are apart, compilers then leave out the branch for a second word, and
// see which bytes lie in one word.
std::string MemoryWriter::Address(const RowContext& context, const Inst& inst, uint32_t row,
                                  bool aligned, const std::string& address) {
  if (context.expressions.IsConstant(inst.a)) return address;
  const uint32_t bytes = FactsOf(inst.opcode).bytes;
  if (bytes == 1) {
    if (!HasPlace(context, inst, row)) return address;
    const ir::Function::Place place = context.function.PlaceOf(row);
    return "wb_at_place(" + address + ", " + std::to_string(place.bits) + "u, " +
           std::to_string(place.value) + "u)";
  }
  if (!aligned) return address;
  return (bytes == 2 ? "wb_at_half(" : "wb_at_word(") + address + ")";
}

std::string MemoryWriter::PointerOf(const RowContext& context, const Inst& inst, uint32_t row) {
  const HotBytes& hot = context.hot;
  std::string pointer = Pointer(inst.memory);
  const ir::Function::AccessRange* range = context.function.RangeAt(row);
  if (hot.empty() || range == nullptr) return pointer;
  if (range->from >= hot.from && range->end <= hot.end()) return "wb_hot(" + pointer + ")";
  const bool apart = range->end <= hot.from || range->from >= hot.end();
  return apart ? "wb_cold(" + pointer + ")" : pointer;
}

// A byte is accessed alone where compilers could not see what else lies in its word. To store it as
// a part of its word waits for the word, unless all of that is stored.
std::string MemoryWriter::FunctionOf(const RowContext& context, const Inst& inst, uint32_t row) {
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  const bool is_vector = facts.code > 0xff;
  const bool alone = facts.bytes == 1 && !is_vector && !HasPlace(context, inst, row);
  return std::string(facts.function) + (alone ? "_alone" : "");
}

void MemoryWriter::Load(const Inst& inst, uint32_t row) {
  Expressions& expressions = context_.expressions;
  const std::string address = expressions.UseOften(inst.a);
  CheckAccess(inst, row, address);
  std::string args = "(" + PointerOf(context_, inst, row) + ", " +
                     Address(context_, inst, row, context_.function.IsAligned(row), address) +
                     ", " + std::to_string(inst.imm) + "ul";
  if (inst.b != ir::kNoVar) args += ", " + expressions.Use(inst.b);
  if (inst.c != ir::kNoVar) args += ", " + expressions.Use(inst.c);
  expressions.DefineNow(inst.dst, FromCopy(context_, inst, row, address,
                                           FunctionOf(context_, inst, row) + args + ")"));
}

std::string MemoryWriter::FromCopy(const RowContext& context, const Inst& inst, uint32_t row,
                                   const std::string& address, const std::string& otherwise) {
  const ir::ReadOnlyData::Piece* piece = PieceOf(context.program, context.function, inst, row);
  return piece == nullptr ? otherwise : CopyText(*piece, inst, address, otherwise, context.copies);
}

void MemoryWriter::Store(const Inst& inst, uint32_t row) {
  const std::string address = context_.expressions.UseOften(inst.a);
  const std::string value = context_.expressions.UseOften(inst.b);
  CheckAccess(inst, row, address);
  notes_.Store(inst, row, address);
  const std::string lane = inst.c == ir::kNoVar ? "" : ", " + context_.expressions.Use(inst.c);
  context_.text.Line(FunctionOf(context_, inst, row), "(", PointerOf(context_, inst, row), ", ",
                     Address(context_, inst, row, context_.function.IsAligned(row), address), ", ",
                     inst.imm, "ul, ", value, lane, ");");
}

void MemoryWriter::Size(const Inst& inst) {
  const ir::Program& program = context_.program;
  context_.expressions.DefineNow(
      inst.dst, program.grows_memory ? "wb_get(L, WB_LANE_PAGES)"
                                     : std::to_string(program.memories[0].min_pages) + "u");
}

void MemoryWriter::Grow(const Inst& inst, uint32_t row) {
  const std::string delta = context_.expressions.Use(inst.a);
  const std::string pages = "g" + std::to_string(row);
  std::string call = "wb_memory_grow(L, ";
  if (context_.program.memories.size() > 1) {
    const ir::Memory& memory = context_.program.memories[inst.memory];
    const std::string word =
        inst.memory == 0 ? "WB_LANE_PAGES" : context_.GlobalWord(memory.pages_global);
    call = "wb_memory_grow_at(L, " + std::to_string(inst.memory) + "u, " + word + ", " +
           std::to_string(memory.max_pages) + "u, ";
  }
  context_.text.Line("uint ", pages, " = ", call, delta, ");");
  context_.targets.ExitIf(pages + " == WB_GROW_LEAVES",
                          abi::WHY_LEFT | static_cast<uint32_t>(inst.imm));
  if (inst.memory == 0) ReadSize();
  context_.expressions.DefineNow(inst.dst, pages);
}

void MemoryWriter::CopyCheck(const Inst& inst) {
  const std::string to = context_.expressions.UseOften(inst.a);
  const std::string from = context_.expressions.UseOften(inst.b);
  const std::string count = context_.expressions.UseOften(inst.c);
  context_.targets.ExitIf(Miss(inst.memory, "wb_copy_misses", "wb_memory_copy_outside") + to +
                              ", " + from + ", " + count + ")",
                          OutOfBounds(inst));
}

void MemoryWriter::FillCheck(const Inst& inst) {
  const std::string to = context_.expressions.UseOften(inst.a);
  const std::string count = context_.expressions.UseOften(inst.c);
  context_.targets.ExitIf(
      Miss(inst.memory, "wb_fill_misses", "wb_memory_fill_outside") + to + ", " + count + ")",
      OutOfBounds(inst));
}

void MemoryWriter::CopyChunk(const Inst& inst) {
  const std::string to = context_.expressions.UseOften(inst.a);
  const std::string from = context_.expressions.UseOften(inst.b);
  const std::string count = context_.expressions.UseOften(inst.c);
  if (inst.memory == 0) {
    notes_.Bulk("wb_chunk_spans(" + to + ", " + from + ", " + count, to, count);
  }
  const uint32_t source = static_cast<uint32_t>(inst.imm);
  if (source == inst.memory) {
    context_.text.Line("wb_memory_copy_chunk(", Pointer(inst.memory), ", ", to, ", ", from, ", ",
                       count, ");");
  } else {
    context_.text.Line("wb_memory_copy_between(", Pointer(inst.memory), ", ", to, ", ",
                       Pointer(source), ", ", from, ", ", count, ");");
  }
}

void MemoryWriter::FillChunk(const Inst& inst) {
  const std::string to = context_.expressions.UseOften(inst.a);
  const std::string byte = context_.expressions.UseOften(inst.b);
  const std::string count = context_.expressions.UseOften(inst.c);
  if (inst.memory == 0) notes_.Bulk("wb_spans_of(" + to + ", " + count, to, count);
  context_.text.Line("wb_memory_fill_chunk(", Pointer(inst.memory), ", ", to, ", ", byte, ", ",
                     count, ");");
}

void MemoryWriter::InitChunk(const Inst& inst) {
  const std::string to = context_.expressions.UseOften(inst.a);
  const std::string from = context_.expressions.Use(inst.b);
  const std::string count = context_.expressions.UseOften(inst.c);
  if (inst.memory == 0) notes_.Bulk("wb_spans_of(" + to + ", " + count, to, count);
  context_.text.Line("wb_memory_init_chunk(", Pointer(inst.memory), ", ", to, ", ",
                     DataText(static_cast<uint32_t>(inst.imm)), ", ", from, ", ", count, ");");
}

}  // namespace wb
