#include "compiler/wasm/segment_decoder.h"

namespace wb {
namespace {

constexpr uint8_t kMaxDataFlags = 2;  // active, passive, active with a memory index
constexpr uint8_t kGlobalGetByte = 0x23;
constexpr uint8_t kRefFuncByte = 0xd2;

wabt::Type ToWabtType(ValueType reference) {
  return reference == ValueType::kFuncRef ? wabt::Type::FuncRef : wabt::Type::ExternRef;
}

SegmentMode ToMode(uint8_t flags) {
  if ((flags & wabt::SegDeclared) == wabt::SegDeclared) return SegmentMode::kDeclarative;
  return (flags & wabt::SegPassive) != 0 ? SegmentMode::kPassive : SegmentMode::kActive;
}

wabt::SegmentKind ToKind(SegmentMode mode) {
  switch (mode) {
    case SegmentMode::kActive: return wabt::SegmentKind::Active;
    case SegmentMode::kPassive: return wabt::SegmentKind::Passive;
    case SegmentMode::kDeclarative: break;
  }
  return wabt::SegmentKind::Declared;
}

}  // namespace

SegmentDecoder::Result SegmentDecoder::OnElemSegmentCount(Index) {
  next_ = state->offset;
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::BeginElemSegment(Index, Index table, uint8_t flags) {
  ElementSegment segment;
  segment.mode = ToMode(flags);
  segment.table = table;
  segment.file_offset = static_cast<uint32_t>(next_);
  elements_are_expressions_ = (flags & wabt::SegUseElemExprs) != 0;
  CHECK_RESULT(
      Check(validator_.OnElemSegment(At(next_), wabt::Var(table, At(next_)), ToKind(segment.mode)),
            next_));
  module_.elements.push_back(std::move(segment));
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnElemSegmentElemType(Index, Type type) {
  std::optional<ValueType> value_type = ToValueType(type);
  if (!value_type.has_value()) {
    return Fail(Reason::kWasmMalformed, "an element segment's type is not a reference type",
                state->offset);
  }
  CHECK_RESULT(Check(validator_.OnElemSegmentElemType(At(state->offset), type), state->offset));
  module_.elements.back().type = *value_type;
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnElemSegmentElemExprCount(Index, Index count) {
  next_ = state->offset;
  elements_left_ = count;
  DisguiseElement();
  return Result::Ok;
}

// Both operators have one index, so nothing moves.
void SegmentDecoder::DisguiseElement() {
  element_is_disguised_ = elements_are_expressions_ && elements_left_ > 0 &&
                          next_ < bytes_.size() && bytes_[next_] == kGlobalGetByte;
  if (element_is_disguised_) bytes_[next_] = kRefFuncByte;
}

SegmentDecoder::Result SegmentDecoder::OnElementGlobal(Index global) {
  bytes_[next_] = kGlobalGetByte;
  const Type type = ToWabtType(module_.elements.back().type);
  CHECK_RESULT(Check(validator_.BeginInitExpr(At(next_), type), next_));
  CHECK_RESULT(Check(validator_.OnGlobalGet(At(next_), wabt::Var(global, At(next_))), next_));
  CHECK_RESULT(Check(validator_.EndInitExpr(), next_));
  AddElement(Opcode::kGlobalGet, global);
  return Result::Ok;
}

void SegmentDecoder::AddElement(Opcode opcode, uint64_t imm) {
  Instruction instruction{opcode, static_cast<uint32_t>(next_), 0, imm};
  module_.elements.back().elements.push_back({instruction});
  next_ = state->offset + (elements_are_expressions_ ? 1 : 0);  // the expression's `end`
  --elements_left_;
  DisguiseElement();
}

SegmentDecoder::Result SegmentDecoder::OnElemSegmentElemExpr_RefNull(Index, Type type) {
  std::optional<ValueType> value_type = ToValueType(type);
  if (!value_type.has_value()) {
    return Fail(Reason::kWasmMalformed, "ref.null of what is not a reference type", next_);
  }
  CHECK_RESULT(Check(validator_.OnElemSegmentElemExpr_RefNull(At(next_), type), next_));
  AddElement(Opcode::kRefNull, static_cast<uint64_t>(*value_type));
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnElemSegmentElemExpr_RefFunc(Index, Index function) {
  if (element_is_disguised_) return OnElementGlobal(function);
  wabt::Var var(function, At(next_));
  CHECK_RESULT(Check(validator_.OnElemSegmentElemExpr_RefFunc(At(next_), var), next_));
  AddElement(Opcode::kRefFunc, function);
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::EndElemSegment(Index) {
  next_ = state->offset;
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnDataCount(Index count) {
  validator_.OnDataCount(count);
  data_count_ = count;
  data_count_at_ = state->offset;
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnDataSegmentCount(Index) {
  next_ = state->offset;
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::BeginDataSegment(Index, Index memory, uint8_t flags) {
  if (flags > kMaxDataFlags) {
    return Fail(Reason::kWasmMalformed, "a data segment's flags are not 0, 1 or 2", next_);
  }
  DataSegment segment;
  segment.mode = ToMode(flags);
  segment.memory = memory;
  segment.file_offset = static_cast<uint32_t>(next_);
  wabt::Var var(memory, At(next_));
  CHECK_RESULT(Check(validator_.OnDataSegment(At(next_), var, ToKind(segment.mode)), next_));
  module_.data.push_back(std::move(segment));
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnDataSegmentData(Index, const void* data, Address size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  module_.data.back().bytes.assign(bytes, bytes + size);
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::EndDataSegment(Index) {
  next_ = state->offset;
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::EndModule() {
  // wabt compares the two counts where there is a data section only.
  if (data_count_ > module_.data.size()) {
    return Fail(Reason::kWasmMalformed, "the data count section promises segments that are missing",
                data_count_at_);
  }
  return ConstantDecoder::EndModule();
}

}  // namespace wb
