#include "compiler/wasm/body_decoder.h"

#include <string>

#include "compiler/base/check.h"

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

BodyDecoder::Result BodyDecoder::OnFunctionBodyCount(Index count) {
  module_.bodies.reserve(count);  // the reader has checked that as many functions are declared
  return Result::Ok;
}

BodyDecoder::Result BodyDecoder::BeginFunctionBody(Index index, Offset size) {
  function_ = index;
  next_ = state->offset;
  body_limit_ = next_ + size;
  operator_at_ = next_;
  body_ = &module_.bodies.emplace_back();
  body_->offset = static_cast<uint32_t>(next_);
  body_ended_ = false;
  CHECK_RESULT(Charge(SignatureValues(module_.functions[index].type), next_));
  return Check(validator_.BeginFunctionBody(At(next_), index), next_);
}

BodyDecoder::Result BodyDecoder::OnLocalDeclCount(Index count) {
  next_ = state->offset;
  local_declarations_ = count;
  local_runs_.clear();
  return Result::Ok;
}

BodyDecoder::Result BodyDecoder::OnLocalDecl(Index declaration, Index count, Type type) {
  local_runs_.push_back({count, type, next_});
  next_ = state->offset;
  // At the last one only: the reader's own limit, of all declarations, is the binary format's.
  return declaration + 1 == local_declarations_ ? ExpandLocals() : Result(Result::Ok);
}

BodyDecoder::Result BodyDecoder::ExpandLocals() {
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

void BodyDecoder::EndBody() {
  body_ended_ = true;
  body_->end_offset = static_cast<uint32_t>(operator_at_);
  next_ = state->offset;
}

BodyDecoder::Result BodyDecoder::EndFunctionBody(Index) {
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

BodyDecoder::Result BodyDecoder::OnOpcode(WabtOpcode opcode) {
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

BodyDecoder::Result BodyDecoder::Operator(Result validated, uint64_t imm, uint32_t imm2) {
  CHECK_RESULT(Check(validated, operator_at_));
  next_ = state->offset;
  const Opcode* opcode = FindRow(opcode_);
  WB_CHECK(opcode != nullptr);  // OnOpcode
  std::vector<Instruction>& operators = in_constant() ? constant_operators() : body_->instructions;
  operators.push_back({*opcode, static_cast<uint32_t>(operator_at_), imm2, imm});
  return Result::Ok;
}

BodyDecoder::Result BodyDecoder::VectorOperator(Result validated, v128 bits) {
  CHECK_RESULT(Check(validated, operator_at_));
  std::vector<V128>& vectors = in_constant() ? module_.vectors : body_->vectors;
  vectors.push_back({bits.u32(0), bits.u32(1), bits.u32(2), bits.u32(3)});
  return Operator(validated, vectors.size() - 1);
}

}  // namespace wb
