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
  decoded().bodies.reserve(count);  // the reader has checked that as many functions are declared
  return Result::Ok;
}

BodyDecoder::Result BodyDecoder::BeginFunctionBody(Index index, Offset size) {
  EnterBody(index, size);
  body_ = &decoded().bodies.emplace_back();
  body_->offset = static_cast<uint32_t>(next());
  body_ended_ = false;
  CHECK_RESULT(Charge(SignatureValues(decoded().functions[index].type), next()));
  return Check(validator().BeginFunctionBody(At(next()), index), next());
}

BodyDecoder::Result BodyDecoder::OnLocalDeclCount(Index count) {
  ItemRead();
  local_declarations_ = count;
  local_runs_.clear();
  return Result::Ok;
}

BodyDecoder::Result BodyDecoder::OnLocalDecl(Index declaration, Index count, Type type) {
  local_runs_.push_back({count, type, next()});
  ItemRead();
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
    CHECK_RESULT(Check(validator().OnLocalDecl(At(run.offset), run.count, run.type), run.offset));
  }
  return Result::Ok;
}

void BodyDecoder::EndBody() {
  body_ended_ = true;
  body_->end_offset = static_cast<uint32_t>(operator_at());
  ItemRead();
}

BodyDecoder::Result BodyDecoder::EndFunctionBody(Index) {
  // The reader only knows that the last operator is some `end`.
  if (!body_ended_) {
    return Fail(Reason::kWasmMalformed, "the body has no end of its own", state->offset);
  }
  CHECK_RESULT(Check(validator().EndFunctionBody(At(body_->end_offset)), body_->end_offset));
  body_->instructions.shrink_to_fit();
  body_->block_types.shrink_to_fit();
  body_->vectors.shrink_to_fit();
  LeaveBody();
  body_ = nullptr;
  return Result::Ok;
}

BodyDecoder::Result BodyDecoder::OnOpcode(WabtOpcode opcode) {
  EnterOperator(opcode);
  if (body_ != nullptr && body_ended_) {
    return Fail(Reason::kWasmMalformed, "an operator follows the end of the body", operator_at());
  }
  const bool known = !opcode.IsInvalid() && !IsInternal(opcode);
  // wabt calls some operators of proposals enabled always.
  if (known && opcode.IsEnabled(features()) && FindRow(opcode) != nullptr) return Result::Ok;
  const std::string proposal(ProposalOfOperator(state->data[operator_at()]));
  if (!known && proposal.empty()) {
    return Fail(Reason::kWasmMalformed, "unknown opcode", operator_at());
  }
  const std::string name = known ? "[" + std::string(opcode.GetName()) + "] " : "";
  return Fail(
      Reason::kWasmUnsupportedFeature,
      "the operator " + name + "of a proposal" + (proposal.empty() ? "" : " (" + proposal + ")"),
      operator_at());
}

BodyDecoder::Result BodyDecoder::Operator(Result validated, uint64_t imm, uint32_t imm2) {
  CHECK_RESULT(Check(validated, operator_at()));
  ItemRead();
  const Opcode* row = FindRow(opcode());
  WB_CHECK(row != nullptr);  // OnOpcode
  std::vector<Instruction>& operators = in_constant() ? constant_operators() : body_->instructions;
  operators.push_back({*row, static_cast<uint32_t>(operator_at()), imm2, imm});
  return Result::Ok;
}

BodyDecoder::Result BodyDecoder::VectorOperator(Result validated, v128 bits) {
  CHECK_RESULT(Check(validated, operator_at()));
  std::vector<V128>& vectors = in_constant() ? decoded().vectors : body_->vectors;
  vectors.push_back({bits.u32(0), bits.u32(1), bits.u32(2), bits.u32(3)});
  return Operator(validated, vectors.size() - 1);
}

}  // namespace wb
