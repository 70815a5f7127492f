#include "compiler/wasm/decode_state.h"

#include <string>

#include "compiler/wasm/opcode.h"

namespace wb {
namespace {

// What wabt and we expand from a byte: locals from runs, signatures at their uses. Real modules
// stay below one value per byte; the constant serves small ones.
constexpr uint64_t kValuesPerByte = 4;
constexpr uint64_t kFreeValues = uint64_t{1} << 20;

// What the reader says of a type or a form of types that it does not know but has read the code of.
constexpr std::string_view kUnknownTypes[] = {"expected valid ", "unexpected type form"};

// What the reader says about an element expression that is not one ref.null or ref.func.
constexpr std::string_view kNotAnElement =
    "expected ref.null or ref.func in passive element segment";
constexpr std::string_view kElementNotEnded = "expected END opcode after element expression";

// WebAssembly 2.0, which is wabt's default, relaxed vectors and what else is asked for.
wabt::Features ReadFeatures(const Proposals& proposals) {
  wabt::Features features;
  features.enable_relaxed_simd();
  features.set_tail_call_enabled(proposals.tail_calls);
  features.set_extended_const_enabled(proposals.extended_constants);
  features.set_multi_memory_enabled(proposals.multiple_memories);
  return features;
}

}  // namespace

std::optional<ValueType> ToValueType(wabt::Type type) {
  switch (type) {
    case wabt::Type::I32: return ValueType::kI32;
    case wabt::Type::I64: return ValueType::kI64;
    case wabt::Type::F32: return ValueType::kF32;
    case wabt::Type::F64: return ValueType::kF64;
    case wabt::Type::V128: return ValueType::kV128;
    case wabt::Type::FuncRef: return ValueType::kFuncRef;
    case wabt::Type::ExternRef: return ValueType::kExternRef;
    default: return std::nullopt;
  }
}

DecodeState::DecodeState(Module* module, const Proposals& proposals)
    : module_(*module),
      features_(ReadFeatures(proposals)),
      validator_(&errors_, wabt::ValidateOptions(features_)),
      budget_(kValuesPerByte * module->binary().size() + kFreeValues) {}

Status DecodeState::Run() {
  bytes_ = module_.binary();
  // A custom section that does not parse is no error of the module: it is skipped.
  wabt::ReadBinaryOptions options(features_, /*log_stream=*/nullptr, /*read_debug_names=*/false,
                                  /*stop_on_first_error=*/true,
                                  /*fail_on_custom_section_error=*/false);
  Result read = wabt::ReadBinary(bytes_.data(), bytes_.size(), this, options);
  if (Failed(read)) Fail(Reason::kWasmMalformed, "it cannot be read further", next_);
  return status_;
}

void DecodeState::EnterExpression() {
  ItemRead();
  operator_at_ = next_;
}

void DecodeState::EnterBody(Index function, Offset size) {
  EnterExpression();
  function_ = function;
  body_limit_ = next_ + size;
}

void DecodeState::EnterOperator(WabtOpcode opcode) {
  opcode_ = opcode;
  operator_at_ = next_;
}

DecodeState::Result DecodeState::Fail(Reason reason, std::string_view what, Offset offset) {
  if (status_.ok()) status_ = DecodeError(reason, what, {offset, function_});
  return Result::Error;
}

DecodeState::Result DecodeState::Check(Result validated, Offset offset) {
  // The body's last byte is its `end`; the reader itself notices only later.
  if (function_.has_value() && state->offset + (opcode_ == WabtOpcode::End ? 0 : 1) > body_limit_) {
    return Fail(Reason::kWasmMalformed, "an operator runs past the end of the body", operator_at_);
  }
  if (Succeeded(validated)) return Result::Ok;
  return Fail(Reason::kWasmInvalid,
              errors_.empty() ? "it does not pass validation" : errors_.front().message, offset);
}

DecodeState::Result DecodeState::Charge(uint64_t values, Offset offset) {
  if (values > budget_) {
    return Fail(Reason::kWasmInvalid,
                "implementation limit: locals and signatures, counted at every use, come to more "
                "than 4 values per byte of the module and 1048576",
                offset);
  }
  budget_ -= values;
  return Result::Ok;
}

uint64_t DecodeState::SignatureValues(Index type) const {
  if (type >= module_.types.size()) return 0;
  return module_.types[type].params.size() + module_.types[type].results.size();
}

void DecodeState::FailElement(Offset offset) {
  uint8_t code = state->data[offset];
  const Opcode* opcode = FindOpcode(code);
  if (opcode == nullptr) {
    Fail(Reason::kWasmMalformed, "unknown opcode in an element expression", offset);
  } else {
    Fail(Reason::kWasmInvalid, "an element expression is not one ref.null, ref.func or global.get",
         offset);
  }
}

bool DecodeState::OnError(const wabt::Error& error) {
  if (error.error_level == wabt::ErrorLevel::Warning) return true;  // in a custom section
  if (error.message == kNotAnElement) {
    FailElement(next_);
  } else if (error.message == kElementNotEnded) {
    FailElement(next_ - 1);
  }
  ReaderVerdict verdict = VerdictOfReader(error.message);
  for (std::string_view unknown : kUnknownTypes) {
    if (error.message.rfind(unknown, 0) != 0 || error.loc.offset == 0) continue;
    verdict.proposal = ProposalOfType(state->data[error.loc.offset - 1]);
    if (!verdict.proposal.empty()) verdict.reason = Reason::kWasmUnsupportedFeature;
  }
  bool of_operator = verdict.reason != Reason::kWasmMalformed && function_.has_value();
  std::string what(verdict.proposal);
  what.append(what.empty() ? "" : ": ").append(error.message);
  Fail(verdict.reason, what, of_operator ? operator_at_ : error.loc.offset);
  return true;
}

DecodeState::Result DecodeState::EndModule() {
  Result validated = validator_.EndModule();
  // Found at the end, but the place is that of the ref.func.
  return Check(validated, errors_.empty() ? state->offset : errors_.front().loc.offset);
}

}  // namespace wb
