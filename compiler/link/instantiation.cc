#include "compiler/link/instantiation.h"

#include <utility>

#include "compiler/abi/lane.h"
#include "compiler/wasm/const_expr.h"

namespace wb {

ConstExpr InstantiationEffects::Resolved(const Module& module, const ConstExpr& expression,
                                         const IndexMaps& maps) const {
  const Instruction& from = expression.instruction;
  ConstExpr out;
  if (from.opcode == Opcode::kGlobalGet || from.opcode == Opcode::kEnd) {
    out.instruction = ValueOf(module, expression, [&](uint64_t global) {
      return whole_.globals[maps.globals[global]].init.instruction;
    });
  } else {
    out.instruction = Translated(from, maps);
    if (from.opcode == Opcode::kV128Const) out.instruction.imm += maps.vectors;
  }
  return out;
}

Body InstantiationEffects::Apply(const Module& module, const PlacedPart& part) {
  may_have_trapped_ = false;
  for (const SizeCheck& check : part.checks) Check(check);
  for (const ElementSegment& segment : module.elements) AddElements(segment, module, part.maps);
  for (const DataSegment& segment : module.data) AddData(segment, module, part.maps);
  if (module.start) {
    place_ = 0;
    Emit(Opcode::kCall, part.maps.functions[*module.start]);
    only_image_ = false;
  }
  return std::exchange(body_, {});
}

// Copies the last wanted byte or element to itself. That traps if it does not exist, and does
// nothing else.
void InstantiationEffects::Check(const SizeCheck& check) {
  const bool memory = check.kind == ExternKind::kMemory;
  const uint64_t last = uint64_t{check.min} * (memory ? uint32_t{abi::PAGE_BYTES} : 1) - 1;
  place_ = 0;
  Emit(Opcode::kI32Const, last);
  Emit(Opcode::kI32Const, last);
  Emit(Opcode::kI32Const, 1);
  Emit(memory ? Opcode::kMemoryCopy : Opcode::kTableCopy, check.index, check.index);
  only_image_ = false;
}

// `size`: the initial size of what the segment goes to. What a part defines is its own until it is
// instantiated.
bool InstantiationEffects::InImage(const ConstExpr& offset, uint64_t length, uint64_t size,
                                   bool own) {
  const bool fits =
      offset.instruction.opcode == Opcode::kI32Const && offset.instruction.imm + length <= size;
  if (!fits) only_image_ = false;
  if (!fits) may_have_trapped_ = true;
  return !may_have_trapped_ && (own || (when_ == Instantiation::kAtStart && only_image_));
}

void InstantiationEffects::AddElements(const ElementSegment& segment, const Module& module,
                                       const IndexMaps& maps) {
  ElementSegment out = segment;
  for (ConstExpr& element : out.elements) element = Resolved(module, element, maps);
  if (segment.mode == SegmentMode::kActive) {
    out.table = maps.tables[segment.table];
    out.offset = Resolved(module, segment.offset, maps);
    const uint64_t length = segment.elements.size();
    if (!InImage(out.offset, length, whole_.tables[out.table].limits.min,
                 !module.tables[segment.table].imported)) {
      out.mode = SegmentMode::kPassive;
      Init(Opcode::kTableInit, Opcode::kElemDrop, out.offset, length, whole_.elements.size(),
           out.table, segment.file_offset);
    }
  }
  whole_.elements.push_back(std::move(out));
}

void InstantiationEffects::AddData(const DataSegment& segment, const Module& module,
                                   const IndexMaps& maps) {
  DataSegment out = segment;
  if (segment.mode == SegmentMode::kActive) {
    out.memory = maps.memories[segment.memory];
    out.offset = Resolved(module, segment.offset, maps);
    const uint64_t length = segment.bytes.size();
    const uint64_t size = uint64_t{whole_.memories[out.memory].limits.min} * abi::PAGE_BYTES;
    if (!InImage(out.offset, length, size, !module.memories[segment.memory].imported)) {
      out.mode = SegmentMode::kPassive;
      Init(Opcode::kMemoryInit, Opcode::kDataDrop, out.offset, length, whole_.data.size(),
           out.memory, segment.file_offset);
    }
  }
  whole_.data.push_back(std::move(out));
}

void InstantiationEffects::Init(Opcode init, Opcode drop, const ConstExpr& offset, uint64_t length,
                                uint64_t segment, uint32_t to, uint32_t place) {
  place_ = place;
  body_.instructions.push_back(offset.instruction);
  Emit(Opcode::kI32Const, 0);
  Emit(Opcode::kI32Const, length);
  Emit(init, segment, to);
  Emit(drop, segment);
}

}  // namespace wb
