// ModuleDecoder: bodies, and the operators that shape them.

#include <string>

#include "compiler/base/check.h"
#include "compiler/wasm/decoder.h"

namespace wb {
namespace {

// The specification's implementation limit for the locals of a function.
constexpr uint64_t kMaxLocals = 50000;

// wabt gives codes in this range to operators of its interpreter, which no module may use.
constexpr uint32_t kFirstInternalCode = 0xe0;

bool IsInternal(wabt::Opcode opcode) {
  return !opcode.HasPrefix() && opcode.GetCode() >= kFirstInternalCode;
}

// The code as opcode.def counts it.
const Opcode* FindRow(wabt::Opcode opcode) {
  if (!opcode.HasPrefix()) return FindOpcode(opcode.GetCode());
  if (opcode.GetCode() > 0xfff) return nullptr;
  const int digits = opcode.GetCode() > 0xff ? 12 : 8;
  return FindOpcode(uint32_t{opcode.GetPrefix()} << digits | opcode.GetCode());
}

}  // namespace

ModuleDecoder::Result ModuleDecoder::OnFunctionBodyCount(Index count) {
  module_.bodies.reserve(count);  // the reader has checked that as many functions are declared
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::BeginFunctionBody(Index index, Offset size) {
  function_ = index;
  next_ = state->offset;
  body_limit_ = next_ + size;
  operator_at_ = next_;
  body_ = &module_.bodies.emplace_back();
  body_->offset = static_cast<uint32_t>(next_);
  body_ended_ = false;
  block_types_ = {};
  Index type = module_.functions[index].type;
  CHECK_RESULT(Charge(SignatureValues(type), next_));
  uint32_t results = static_cast<uint32_t>(module_.types[type].results.size());
  labels_.assign(1, {LabelKind::kFunction, results});
  return Check(validator_.BeginFunctionBody(At(next_), index), next_);
}

ModuleDecoder::Result ModuleDecoder::OnLocalDeclCount(Index count) {
  next_ = state->offset;
  local_declarations_ = count;
  local_runs_.clear();
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnLocalDecl(Index declaration, Index count, Type type) {
  local_runs_.push_back({count, type, next_});
  next_ = state->offset;
  // At the last one only: the reader's own limit, of all declarations, is the binary format's.
  return declaration + 1 == local_declarations_ ? ExpandLocals() : Result(Result::Ok);
}

ModuleDecoder::Result ModuleDecoder::ExpandLocals() {
  uint64_t total = 0;
  for (const LocalRun& run : local_runs_) {
    total += run.count;
    if (total > kMaxLocals) {
      return Fail(Reason::kWasmInvalid,
                  "implementation limit: more than [" + std::to_string(kMaxLocals) +
                      "] locals are declared",
                  run.offset);
    }
  }
  CHECK_RESULT(Charge(total, body_->offset));
  body_->locals.reserve(total);
  for (const LocalRun& run : local_runs_) {
    body_->locals.insert(body_->locals.end(), run.count, *ToValueType(run.type));
    CHECK_RESULT(Check(validator_.OnLocalDecl(At(run.offset), run.count, run.type), run.offset));
  }
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::EndFunctionBody(Index) {
  // The reader only knows that the last operator is some `end`.
  if (!body_ended_) {
    return Fail(Reason::kWasmMalformed, "the body has no end of its own", state->offset);
  }
  CHECK_RESULT(Check(validator_.EndFunctionBody(At(body_->end_offset)), body_->end_offset));
  body_->instructions.shrink_to_fit();
  body_->block_types.shrink_to_fit();
  body_->vectors.shrink_to_fit();
  function_.reset();
  body_ = nullptr;
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnOpcode(WabtOpcode opcode) {
  opcode_ = opcode;
  operator_at_ = next_;
  if (body_ != nullptr && body_ended_) {
    return Fail(Reason::kWasmMalformed, "an operator follows the end of the body", operator_at_);
  }
  const bool known = !opcode.IsInvalid() && !IsInternal(opcode);
  // wabt calls some operators of proposals enabled always.
  if (known && opcode.IsEnabled(features_) && FindRow(opcode) != nullptr) return Result::Ok;
  const std::string proposal(ProposalOfOperator(state->data[operator_at_]));
  if (!known && proposal.empty()) {
    return Fail(Reason::kWasmMalformed, "unknown opcode", operator_at_);
  }
  const std::string name = known ? "[" + std::string(opcode.GetName()) + "] " : "";
  return Fail(
      Reason::kWasmUnsupportedFeature,
      "the operator " + name + "of a proposal" + (proposal.empty() ? "" : " (" + proposal + ")"),
      operator_at_);
}

ModuleDecoder::Result ModuleDecoder::Operator(Result validated, uint64_t imm, uint32_t imm2) {
  CHECK_RESULT(Check(validated, operator_at_));
  next_ = state->offset;
  const Opcode* opcode = FindRow(opcode_);
  WB_CHECK(opcode != nullptr);  // OnOpcode
  if (init_ != nullptr) {
    init_operators_.push_back({*opcode, static_cast<uint32_t>(operator_at_), imm2, imm});
    return Result::Ok;
  }
  body_->instructions.push_back({*opcode, static_cast<uint32_t>(operator_at_), imm2, imm});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::VectorOperator(Result validated, v128 bits) {
  CHECK_RESULT(Check(validated, operator_at_));
  std::vector<V128>& vectors = init_ != nullptr ? module_.vectors : body_->vectors;
  vectors.push_back({bits.u32(0), bits.u32(1), bits.u32(2), bits.u32(3)});
  return Operator(validated, vectors.size() - 1);
}

uint32_t ModuleDecoder::BlockTypeIndex(Type type) {
  auto [row, added] = block_types_.try_emplace(static_cast<int32_t>(Type::Enum(type)),
                                               static_cast<uint32_t>(body_->block_types.size()));
  if (added) {
    BlockType block;
    if (type.IsIndex()) {
      const FunctionType& signature = module_.types[type.GetIndex()];
      block = {signature.params, signature.results};
    } else if (std::optional<ValueType> result = ToValueType(type); result.has_value()) {
      block.results = {*result};
    }
    body_->block_types.push_back(std::move(block));
  }
  return row->second;
}

ModuleDecoder::Result ModuleDecoder::BeginConstruct(LabelKind kind, Type type, Result validated) {
  CHECK_RESULT(Check(validated, operator_at_));
  uint32_t branch_values = type == Type::Void ? 0 : 1;
  if (type.IsIndex()) {
    const FunctionType& signature = module_.types[type.GetIndex()];
    branch_values = static_cast<uint32_t>(kind == LabelKind::kLoop ? signature.params.size()
                                                                   : signature.results.size());
  } else if (kind == LabelKind::kLoop) {
    branch_values = 0;
  }
  labels_.push_back({kind, branch_values});
  return Operator(Result::Ok, BlockTypeIndex(type));
}

ModuleDecoder::Result ModuleDecoder::ChargeBlock(Type type) {
  // Copied at the begin and at the end, on the stack and in the label.
  return type.IsIndex() ? Charge(2 * SignatureValues(type.GetIndex()), operator_at_)
                        : Result(Result::Ok);
}

ModuleDecoder::Result ModuleDecoder::OnBlockExpr(Type type) {
  CHECK_RESULT(ChargeBlock(type));
  return BeginConstruct(LabelKind::kBlock, type, validator_.OnBlock(Here(), type));
}

ModuleDecoder::Result ModuleDecoder::OnLoopExpr(Type type) {
  CHECK_RESULT(ChargeBlock(type));
  return BeginConstruct(LabelKind::kLoop, type, validator_.OnLoop(Here(), type));
}

ModuleDecoder::Result ModuleDecoder::OnIfExpr(Type type) {
  CHECK_RESULT(ChargeBlock(type));
  return BeginConstruct(LabelKind::kIf, type, validator_.OnIf(Here(), type));
}

ModuleDecoder::Result ModuleDecoder::OnElseExpr() {
  if (init_ != nullptr || labels_.back().kind != LabelKind::kIf) {
    return Fail(Reason::kWasmMalformed, "else without an if", operator_at_);
  }
  CHECK_RESULT(Check(validator_.OnElse(Here()), operator_at_));
  labels_.back().kind = LabelKind::kElse;
  return Operator(Result::Ok);
}

ModuleDecoder::Result ModuleDecoder::OnEndExpr() {
  if (init_ != nullptr) {
    init_ended_ = true;
    return Result::Ok;
  }
  if (labels_.size() == 1) {  // the validator hears of it in EndFunctionBody
    body_ended_ = true;
    body_->end_offset = static_cast<uint32_t>(operator_at_);
    next_ = state->offset;
    return Result::Ok;
  }
  CHECK_RESULT(Check(validator_.OnEnd(Here()), operator_at_));
  labels_.pop_back();
  return Operator(Result::Ok);
}

ModuleDecoder::Result ModuleDecoder::ChargeBranch(Index depth) {
  if (init_ != nullptr || depth >= labels_.size()) return Result::Ok;  // the validator refuses it
  return Charge(labels_[labels_.size() - 1 - depth].branch_values, operator_at_);
}

ModuleDecoder::Result ModuleDecoder::OnBrExpr(Index depth) {
  CHECK_RESULT(ChargeBranch(depth));
  return Operator(validator_.OnBr(Here(), VarHere(depth)), depth);
}

ModuleDecoder::Result ModuleDecoder::OnBrIfExpr(Index depth) {
  CHECK_RESULT(ChargeBranch(depth));
  return Operator(validator_.OnBrIf(Here(), VarHere(depth)), depth);
}

ModuleDecoder::Result ModuleDecoder::OnBrTableExpr(Index count, Index* depths,
                                                   Index default_depth) {
  CHECK_RESULT(Check(validator_.BeginBrTable(Here()), operator_at_));
  std::vector<uint32_t> targets(depths, depths + count);
  targets.push_back(default_depth);
  for (uint32_t depth : targets) {
    CHECK_RESULT(ChargeBranch(depth));
    CHECK_RESULT(Check(validator_.OnBrTableTarget(Here(), VarHere(depth)), operator_at_));
  }
  CHECK_RESULT(Check(validator_.EndBrTable(Here()), operator_at_));
  body_->br_tables.push_back(std::move(targets));
  return Operator(Result::Ok, body_->br_tables.size() - 1);
}

ModuleDecoder::Result ModuleDecoder::OnReturnExpr() {
  if (!labels_.empty()) CHECK_RESULT(ChargeBranch(static_cast<Index>(labels_.size() - 1)));
  return Operator(validator_.OnReturn(Here()));
}

}  // namespace wb
