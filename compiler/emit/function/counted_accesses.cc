#include "compiler/emit/function/counted_accesses.h"

#include <algorithm>

#include "compiler/base/check.h"
#include "compiler/emit/function/memory_writer.h"
#include "compiler/emit/text/data_copy.h"
#include "compiler/emit/text/names.h"

namespace wb {

using ir::AddressStream;
using ir::Inst;
using ir::LoopAccess;

const ir::LoopData* CountedAccesses::DataOf(uint32_t stream) const {
  const auto at = std::find_if(loop_->data.begin(), loop_->data.end(),
                               [&](const ir::LoopData& data) { return data.stream == stream; });
  return reads_data_ && at != loop_->data.end() ? &*at : nullptr;
}

const LoopAccess* CountedAccesses::AccessAt(uint32_t place) const {
  const auto at =
      std::lower_bound(loop_->accesses.begin(), loop_->accesses.end(), place,
                       [](const LoopAccess& access, uint32_t index) { return access.at < index; });
  return at == loop_->accesses.end() || at->at != place ? nullptr : &*at;
}

const ir::LoopSlot& CountedAccesses::SlotAt(uint32_t stream, uint64_t word) const {
  const auto at = std::find_if(
      loop_->slots.begin(), loop_->slots.end(),
      [&](const ir::LoopSlot& slot) { return slot.stream == stream && slot.word == word; });
  WB_CHECK(at != loop_->slots.end());
  return *at;
}

bool CountedAccesses::Write(uint32_t place) const {
  const Inst& inst = context_.function.insts[loop_->RowAt(place)];
  if (inst.op == ir::Op::kCanon && StaysAnyNan(inst, place)) {
    context_.expressions.DefinePure(inst.dst, context_.expressions.Use(inst.a), {});
    return true;
  }
  if (inst.op != ir::Op::kLoad && inst.op != ir::Op::kStore) return false;
  const LoopAccess* access = AccessAt(place);
  if (access == nullptr) return false;
  inst.op == ir::Op::kLoad ? Load(inst, *access) : Store(inst, *access);
  return true;
}

// The next row stores it in a slot that becomes canonical behind the rounds.
bool CountedAccesses::StaysAnyNan(const Inst& canon, uint32_t place) const {
  const LoopAccess* access = AccessAt(place + 1);
  if (access == nullptr || !access->in_slot) return false;
  const Inst& inst = context_.function.insts[loop_->RowAt(place + 1)];
  return inst.op == ir::Op::kStore && inst.b == canon.dst &&
         SlotAt(access->stream, access->offset / 4).any_nan;
}

// "k4 * 2ul + 9ul": the number of the word from the stream's lowest, or from the first of its data.
std::string CountedAccesses::Place(const LoopAccess& access) const {
  const AddressStream& stream = loop_->streams[access.stream];
  const ir::LoopData* data = DataOf(access.stream);
  std::string offset =
      CountedNames::Long(access.offset / 4 - (data == nullptr ? 0 : data->skipped));
  if (stream.per_round == 0) return offset;
  const std::string times =
      " * " + CountedNames::Long(CountedNames::Distance(stream) / 4) + " + " + offset;
  if (stream.per_round > 0) return "(ulong)" + names_.Name("k") + times;
  return "((ulong)" + names_.Rounds() + " - 1ul - (ulong)" + names_.Name("k") + ")" + times;
}

// "P4_0, k4 * 2ul + 9ul"
std::string CountedAccesses::WordAt(const LoopAccess& access) const {
  return names_.Name("P", access.stream) + ", " + Place(access);
}

std::string CountedAccesses::Word(const LoopAccess& access, uint64_t further) const {
  if (access.in_slot) return names_.Slot(access.stream, access.offset / 4 + further);
  if (const ir::LoopData* data = DataOf(access.stream)) {
    const std::string beyond = further == 0 ? "" : " + " + CountedNames::Long(further);
    return LoopDataText(data->address, data->words) + "[" + Place(access) + beyond + "]";
  }
  WB_CHECK(further == 0);
  return "wb_word_get(" + WordAt(access) + ")";
}

std::string CountedAccesses::TwoWords(const LoopAccess& access) const {
  if (!access.in_slot && DataOf(access.stream) == nullptr)
    return "wb_word_get64(" + WordAt(access) + ")";
  return "((ulong)" + Word(access, 0) + " | ((ulong)" + Word(access, 1) + " << 32u))";
}

std::string CountedAccesses::Address(const Inst& inst, const LoopAccess& access) const {
  const uint32_t row = loop_->RowAt(access.at);
  return MemoryWriter::Address(context_, inst, row,
                               access.aligned || context_.function.IsAligned(row),
                               context_.expressions.UseOften(inst.a));
}

// A load of a slot's variable of the same type. False: it is a word, or a part of what is loaded.
bool CountedAccesses::LoadSlot(const Inst& inst, const LoopAccess& access) const {
  if (!access.in_slot) return false;
  const ir::LoopSlot& slot = SlotAt(access.stream, access.offset / 4);
  if (slot.type == ValueType::kI32) return false;
  context_.expressions.Use(inst.a);
  std::string value = names_.Slot(access.stream, slot.word);
  if (inst.opcode == Opcode::kF64Load && slot.type == ValueType::kI64) {
    value = "wb_f64_reinterpret_i64(" + value + ")";
  }
  context_.expressions.DefineNow(inst.dst, value);
  return true;
}

bool CountedAccesses::StoreSlot(const Inst& inst, const LoopAccess& access) const {
  if (!access.in_slot) return false;
  const ir::LoopSlot& slot = SlotAt(access.stream, access.offset / 4);
  if (slot.type == ValueType::kI32) return false;
  std::string value = context_.expressions.Use(inst.b);
  context_.expressions.Use(inst.a);
  if (inst.opcode == Opcode::kF64Store && slot.type == ValueType::kI64) {
    value = "wb_i64_reinterpret_f64(" + value + ")";
  }
  context_.text.Line(names_.Slot(access.stream, slot.word), " = ", value, ";");
  return true;
}

void CountedAccesses::Load(const Inst& inst, const LoopAccess& access) const {
  if (LoadSlot(inst, access)) return;
  Expressions& expressions = context_.expressions;
  if (!access.by_words) {
    const uint32_t row = loop_->RowAt(access.at);
    std::string args = "(" + MemoryWriter::PointerOf(context_, inst, row) + ", " +
                       Address(inst, access) + ", " + CountedNames::Long(inst.imm);
    if (inst.b != ir::kNoVar) args += ", " + expressions.Use(inst.b);
    if (inst.c != ir::kNoVar) args += ", " + expressions.Use(inst.c);
    const std::string load = MemoryWriter::FunctionOf(context_, inst, row) + args + ")";
    expressions.DefineNow(inst.dst, FromCopy(inst, access, load));
    return;
  }
  std::string value;
  switch (inst.opcode) {
    case Opcode::kI32Load: value = Word(access, 0); break;
    case Opcode::kF32Load: value = "wb_f32_reinterpret_i32(" + Word(access, 0) + ")"; break;
    case Opcode::kI64Load32U: value = "(ulong)" + Word(access, 0); break;
    case Opcode::kI64Load32S:
      value = "((ulong)" + Word(access, 0) + " ^ 0x80000000ul) - 0x80000000ul";
      break;
    case Opcode::kI64Load: value = TwoWords(access); break;
    case Opcode::kF64Load: value = "wb_f64_reinterpret_i64(" + TwoWords(access) + ")"; break;
    default: WB_CHECK(!"a load of words");
  }
  expressions.DefineNow(inst.dst, FromCopy(inst, access, value));
}

// Data at known places are numbers already, and a word in a variable is nearer.
std::string CountedAccesses::FromCopy(const Inst& inst, const LoopAccess& access,
                                      const std::string& otherwise) const {
  const uint32_t row = loop_->RowAt(access.at);
  const bool is_near = access.in_slot || DataOf(access.stream) != nullptr;
  if (is_near || PieceOf(context_.program, context_.function, inst, row) == nullptr) {
    if (access.by_words) context_.expressions.Use(inst.a);
    return otherwise;
  }
  return MemoryWriter::FromCopy(context_, inst, row, context_.expressions.UseOften(inst.a),
                                otherwise);
}

void CountedAccesses::Store(const Inst& inst, const LoopAccess& access) const {
  if (StoreSlot(inst, access)) return;
  Expressions& expressions = context_.expressions;
  const std::string value = expressions.UseOften(inst.b);
  if (!access.by_words) {
    const std::string lane = inst.c == ir::kNoVar ? "" : ", " + expressions.Use(inst.c);
    const uint32_t row = loop_->RowAt(access.at);
    context_.text.Line(MemoryWriter::FunctionOf(context_, inst, row), "(",
                       MemoryWriter::PointerOf(context_, inst, row), ", ", Address(inst, access),
                       ", ", inst.imm, "ul, ", value, lane, ");");
    return;
  }
  expressions.Use(inst.a);
  switch (inst.opcode) {
    case Opcode::kI32Store: Put(access, false, value); break;
    case Opcode::kF32Store: Put(access, false, "wb_i32_reinterpret_f32(" + value + ")"); break;
    case Opcode::kI64Store32: Put(access, false, "(uint)" + value); break;
    case Opcode::kI64Store: Put(access, true, value); break;
    case Opcode::kF64Store: Put(access, true, "wb_i64_reinterpret_f64(" + value + ")"); break;
    default: WB_CHECK(!"a store of words");
  }
}

void CountedAccesses::Put(const LoopAccess& access, bool is_long, const std::string& value) const {
  if (!access.in_slot) {
    context_.text.Line(is_long ? "wb_word_put64(" : "wb_word_put(", WordAt(access), ", ", value,
                       ");");
    return;
  }
  context_.text.Line(Word(access, 0), " = ", is_long ? "(uint)" + value : value, ";");
  if (is_long) context_.text.Line(Word(access, 1), " = (uint)(", value, " >> 32u);");
}

}  // namespace wb
