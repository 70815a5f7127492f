#include "compiler/wasm/control_decoder.h"

namespace wb {

ControlDecoder::Result ControlDecoder::BeginFunctionBody(Index index, Offset size) {
  CHECK_RESULT(BodyDecoder::BeginFunctionBody(index, size));
  block_types_ = {};
  const FunctionType& type = decoded().types[decoded().functions[index].type];
  labels_.assign(1, {LabelKind::kFunction, static_cast<uint32_t>(type.results.size())});
  return Result::Ok;
}

uint32_t ControlDecoder::BlockTypeIndex(Type type) {
  auto [row, added] = block_types_.try_emplace(static_cast<int32_t>(Type::Enum(type)),
                                               static_cast<uint32_t>(body().block_types.size()));
  if (added) {
    BlockType block;
    if (type.IsIndex()) {
      const FunctionType& signature = decoded().types[type.GetIndex()];
      block = {signature.params, signature.results};
    } else if (std::optional<ValueType> result = ToValueType(type); result.has_value()) {
      block.results = {*result};
    }
    body().block_types.push_back(std::move(block));
  }
  return row->second;
}

ControlDecoder::Result ControlDecoder::BeginConstruct(LabelKind kind, Type type, Result validated) {
  CHECK_RESULT(Check(validated, operator_at()));
  uint32_t branch_values = type == Type::Void ? 0 : 1;
  if (type.IsIndex()) {
    const FunctionType& signature = decoded().types[type.GetIndex()];
    branch_values = static_cast<uint32_t>(kind == LabelKind::kLoop ? signature.params.size()
                                                                   : signature.results.size());
  } else if (kind == LabelKind::kLoop) {
    branch_values = 0;
  }
  labels_.push_back({kind, branch_values});
  return Operator(Result::Ok, BlockTypeIndex(type));
}

ControlDecoder::Result ControlDecoder::ChargeBlock(Type type) {
  // Copied at the begin and at the end, on the stack and in the label.
  return type.IsIndex() ? Charge(2 * SignatureValues(type.GetIndex()), operator_at())
                        : Result(Result::Ok);
}

ControlDecoder::Result ControlDecoder::OnBlockExpr(Type type) {
  CHECK_RESULT(ChargeBlock(type));
  return BeginConstruct(LabelKind::kBlock, type, validator().OnBlock(Here(), type));
}

ControlDecoder::Result ControlDecoder::OnLoopExpr(Type type) {
  CHECK_RESULT(ChargeBlock(type));
  return BeginConstruct(LabelKind::kLoop, type, validator().OnLoop(Here(), type));
}

ControlDecoder::Result ControlDecoder::OnIfExpr(Type type) {
  CHECK_RESULT(ChargeBlock(type));
  return BeginConstruct(LabelKind::kIf, type, validator().OnIf(Here(), type));
}

ControlDecoder::Result ControlDecoder::OnElseExpr() {
  if (in_constant() || labels_.back().kind != LabelKind::kIf) {
    return Fail(Reason::kWasmMalformed, "else without an if", operator_at());
  }
  CHECK_RESULT(Check(validator().OnElse(Here()), operator_at()));
  labels_.back().kind = LabelKind::kElse;
  return Operator(Result::Ok);
}

ControlDecoder::Result ControlDecoder::OnEndExpr() {
  if (in_constant()) {
    EndConstant();
    return Result::Ok;
  }
  if (labels_.size() == 1) {  // the validator hears of it in EndFunctionBody
    EndBody();
    return Result::Ok;
  }
  CHECK_RESULT(Check(validator().OnEnd(Here()), operator_at()));
  labels_.pop_back();
  return Operator(Result::Ok);
}

ControlDecoder::Result ControlDecoder::ChargeBranch(Index depth) {
  if (in_constant() || depth >= labels_.size()) return Result::Ok;  // the validator refuses it
  return Charge(labels_[labels_.size() - 1 - depth].branch_values, operator_at());
}

ControlDecoder::Result ControlDecoder::OnBrExpr(Index depth) {
  CHECK_RESULT(ChargeBranch(depth));
  return Operator(validator().OnBr(Here(), VarHere(depth)), depth);
}

ControlDecoder::Result ControlDecoder::OnBrIfExpr(Index depth) {
  CHECK_RESULT(ChargeBranch(depth));
  return Operator(validator().OnBrIf(Here(), VarHere(depth)), depth);
}

ControlDecoder::Result ControlDecoder::OnBrTableExpr(Index count, Index* depths,
                                                     Index default_depth) {
  CHECK_RESULT(Check(validator().BeginBrTable(Here()), operator_at()));
  std::vector<uint32_t> targets(depths, depths + count);
  targets.push_back(default_depth);
  for (uint32_t depth : targets) {
    CHECK_RESULT(ChargeBranch(depth));
    CHECK_RESULT(Check(validator().OnBrTableTarget(Here(), VarHere(depth)), operator_at()));
  }
  CHECK_RESULT(Check(validator().EndBrTable(Here()), operator_at()));
  body().br_tables.push_back(std::move(targets));
  return Operator(Result::Ok, body().br_tables.size() - 1);
}

ControlDecoder::Result ControlDecoder::OnReturnExpr() {
  if (!labels_.empty()) CHECK_RESULT(ChargeBranch(static_cast<Index>(labels_.size() - 1)));
  return Operator(validator().OnReturn(Here()));
}

}  // namespace wb
