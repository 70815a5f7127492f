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
  ItemRead();
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::BeginElemSegment(Index, Index table, uint8_t flags) {
  ElementSegment segment;
  segment.mode = ToMode(flags);
  segment.table = table;
  segment.file_offset = static_cast<uint32_t>(next());
  elements_are_expressions_ = (flags & wabt::SegUseElemExprs) != 0;
  CHECK_RESULT(Check(
      validator().OnElemSegment(At(next()), wabt::Var(table, At(next())), ToKind(segment.mode)),
      next()));
  decoded().elements.push_back(std::move(segment));
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnElemSegmentElemType(Index, Type type) {
  std::optional<ValueType> value_type = ToValueType(type);
  if (!value_type.has_value()) {
    return Fail(Reason::kWasmMalformed, "an element segment's type is not a reference type",
                state->offset);
  }
  CHECK_RESULT(Check(validator().OnElemSegmentElemType(At(state->offset), type), state->offset));
  decoded().elements.back().type = *value_type;
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnElemSegmentElemExprCount(Index, Index count) {
  ItemRead();
  elements_left_ = count;
  DisguiseElement();
  return Result::Ok;
}

// Both operators have one index, so nothing moves.
void SegmentDecoder::DisguiseElement() {
  uint8_t* const next_byte = NextByte();
  element_is_disguised_ = elements_are_expressions_ && elements_left_ > 0 && next_byte != nullptr &&
                          *next_byte == kGlobalGetByte;
  if (element_is_disguised_) *next_byte = kRefFuncByte;
}

SegmentDecoder::Result SegmentDecoder::OnElementGlobal(Index global) {
  *NextByte() = kGlobalGetByte;  // it was disguised
  const Type type = ToWabtType(decoded().elements.back().type);
  CHECK_RESULT(Check(validator().BeginInitExpr(At(next()), type), next()));
  CHECK_RESULT(Check(validator().OnGlobalGet(At(next()), wabt::Var(global, At(next()))), next()));
  CHECK_RESULT(Check(validator().EndInitExpr(), next()));
  AddElement(Opcode::kGlobalGet, global);
  return Result::Ok;
}

void SegmentDecoder::AddElement(Opcode opcode, uint64_t imm) {
  Instruction instruction{opcode, static_cast<uint32_t>(next()), 0, imm};
  decoded().elements.back().elements.push_back({instruction});
  ItemRead(elements_are_expressions_ ? 1 : 0);  // the expression's `end`
  --elements_left_;
  DisguiseElement();
}

SegmentDecoder::Result SegmentDecoder::OnElemSegmentElemExpr_RefNull(Index, Type type) {
  std::optional<ValueType> value_type = ToValueType(type);
  if (!value_type.has_value()) {
    return Fail(Reason::kWasmMalformed, "ref.null of what is not a reference type", next());
  }
  CHECK_RESULT(Check(validator().OnElemSegmentElemExpr_RefNull(At(next()), type), next()));
  AddElement(Opcode::kRefNull, static_cast<uint64_t>(*value_type));
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnElemSegmentElemExpr_RefFunc(Index, Index function) {
  if (element_is_disguised_) return OnElementGlobal(function);
  wabt::Var var(function, At(next()));
  CHECK_RESULT(Check(validator().OnElemSegmentElemExpr_RefFunc(At(next()), var), next()));
  AddElement(Opcode::kRefFunc, function);
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::EndElemSegment(Index) {
  ItemRead();
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnDataCount(Index count) {
  validator().OnDataCount(count);
  data_count_ = count;
  data_count_at_ = state->offset;
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnDataSegmentCount(Index) {
  ItemRead();
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::BeginDataSegment(Index, Index memory, uint8_t flags) {
  if (flags > kMaxDataFlags) {
    return Fail(Reason::kWasmMalformed, "a data segment's flags are not 0, 1 or 2", next());
  }
  DataSegment segment;
  segment.mode = ToMode(flags);
  segment.memory = memory;
  segment.file_offset = static_cast<uint32_t>(next());
  wabt::Var var(memory, At(next()));
  CHECK_RESULT(Check(validator().OnDataSegment(At(next()), var, ToKind(segment.mode)), next()));
  decoded().data.push_back(std::move(segment));
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::OnDataSegmentData(Index, const void* data, Address size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  decoded().data.back().bytes.assign(bytes, bytes + size);
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::EndDataSegment(Index) {
  ItemRead();
  return Result::Ok;
}

SegmentDecoder::Result SegmentDecoder::EndModule() {
  // wabt compares the two counts where there is a data section only.
  if (data_count_ > decoded().data.size()) {
    return Fail(Reason::kWasmMalformed, "the data count section promises segments that are missing",
                data_count_at_);
  }
  return ConstantDecoder::EndModule();
}

}  // namespace wb
