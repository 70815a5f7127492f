#include "compiler/wasm/decoder.h"

#include <string>

#include "compiler/wasm/decode.h"

namespace wb {
namespace {

// Implementation limits of the specification's appendix as browsers agree on them.
constexpr uint32_t kMaxSignature = 1000;

// What wabt and we expand from a byte: locals from runs, signatures at their uses. Real modules
// stay below one value per byte; the constant serves small ones.
constexpr uint64_t kValuesPerByte = 4;
constexpr uint64_t kFreeValues = uint64_t{1} << 20;

// What the reader says of a type or a form of types that it does not know, whose code it has read.
constexpr std::string_view kUnknownTypes[] = {"expected valid ", "unexpected type form"};

// What the reader says about an element expression that is not one ref.null or ref.func.
constexpr std::string_view kNotAnElement =
    "expected ref.null or ref.func in passive element segment";
constexpr std::string_view kElementNotEnded = "expected END opcode after element expression";

std::vector<ValueType> ToValueTypes(const wabt::Type* types, wabt::Index count) {
  std::vector<ValueType> values;
  values.reserve(count);
  // The reader has checked that these are value types.
  for (wabt::Index i = 0; i < count; ++i) values.push_back(*ToValueType(types[i]));
  return values;
}

// WebAssembly 2.0, which is wabt's default, relaxed vectors and what else is asked for.
wabt::Features ReadFeatures(const Proposals& proposals) {
  wabt::Features features;
  features.enable_relaxed_simd();
  features.set_tail_call_enabled(proposals.tail_calls);
  features.set_extended_const_enabled(proposals.extended_constants);
  features.set_multi_memory_enabled(proposals.multiple_memories);
  return features;
}

Limits32 ToLimits(const wabt::Limits& limits) {
  Limits32 result{static_cast<uint32_t>(limits.initial), {}};
  if (limits.has_max) result.max = static_cast<uint32_t>(limits.max);
  return result;
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

Status DecodeSections(Module* module, const Proposals& proposals) {
  return ModuleDecoder(module, proposals).Run();
}

ModuleDecoder::ModuleDecoder(Module* module, const Proposals& proposals)
    : module_(*module),
      features_(ReadFeatures(proposals)),
      validator_(&errors_, wabt::ValidateOptions(features_)),
      budget_(kValuesPerByte * module->binary().size() + kFreeValues) {}

Status ModuleDecoder::Run() {
  bytes_ = module_.binary();
  // A custom section that does not parse is no error of the module: it is skipped.
  wabt::ReadBinaryOptions options(features_, /*log_stream=*/nullptr, /*read_debug_names=*/false,
                                  /*stop_on_first_error=*/true,
                                  /*fail_on_custom_section_error=*/false);
  Result read = wabt::ReadBinary(bytes_.data(), bytes_.size(), this, options);
  if (Failed(read)) Fail(Reason::kWasmMalformed, "it cannot be read further", next_);
  return status_;
}

ModuleDecoder::Result ModuleDecoder::Fail(Reason reason, std::string_view what, Offset offset) {
  if (status_.ok()) status_ = DecodeError(reason, what, {offset, function_});
  return Result::Error;
}

ModuleDecoder::Result ModuleDecoder::Check(Result validated, Offset offset) {
  // The body's last byte is its `end`; the reader itself notices only later.
  if (body_ != nullptr && state->offset + (opcode_ == WabtOpcode::End ? 0 : 1) > body_limit_) {
    return Fail(Reason::kWasmMalformed, "an operator runs past the end of the body", operator_at_);
  }
  if (Succeeded(validated)) return Result::Ok;
  return Fail(Reason::kWasmInvalid,
              errors_.empty() ? "it does not pass validation" : errors_.front().message, offset);
}

ModuleDecoder::Result ModuleDecoder::Charge(uint64_t values, Offset offset) {
  if (values > budget_) {
    return Fail(Reason::kWasmInvalid,
                "implementation limit: locals and signatures, counted at every use, come to more "
                "than 4 values per byte of the module and 1048576",
                offset);
  }
  budget_ -= values;
  return Result::Ok;
}

bool ModuleDecoder::OnError(const wabt::Error& error) {
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
  bool of_operator = verdict.reason != Reason::kWasmMalformed && body_ != nullptr;
  std::string what(verdict.proposal);
  what.append(what.empty() ? "" : ": ").append(error.message);
  Fail(verdict.reason, what, of_operator ? operator_at_ : error.loc.offset);
  return true;
}

ModuleDecoder::Result ModuleDecoder::EndModule() {
  // wabt compares the two counts where there is a data section only.
  if (data_count_ > module_.data.size()) {
    return Fail(Reason::kWasmMalformed, "the data count section promises segments that are missing",
                data_count_at_);
  }
  Result validated = validator_.EndModule();
  // Found at the end, but the place is that of the ref.func.
  return Check(validated, errors_.empty() ? state->offset : errors_.front().loc.offset);
}

ModuleDecoder::Result ModuleDecoder::OnFuncType(Index index, Index param_count, Type* params,
                                                Index result_count, Type* results) {
  if (param_count > kMaxSignature || result_count > kMaxSignature) {
    return Fail(Reason::kWasmInvalid,
                "implementation limit: a function type has [" + std::to_string(param_count) +
                    "] parameters and [" + std::to_string(result_count) +
                    "] results, at most 1000 of each are read",
                state->offset);
  }
  CHECK_RESULT(Check(
      validator_.OnFuncType(At(state->offset), param_count, params, result_count, results, index),
      state->offset));
  module_.types.push_back({ToValueTypes(params, param_count), ToValueTypes(results, result_count)});
  return Result::Ok;
}

uint64_t ModuleDecoder::SignatureValues(Index type) const {
  if (type >= module_.types.size()) return 0;
  return module_.types[type].params.size() + module_.types[type].results.size();
}

ModuleDecoder::Result ModuleDecoder::AddFunction(Index type, bool imported) {
  CHECK_RESULT(Charge(SignatureValues(type), state->offset));
  wabt::Var var(type, At(state->offset));
  CHECK_RESULT(Check(validator_.OnFunction(At(state->offset), var), state->offset));
  module_.functions.push_back({type, imported});
  if (imported) ++module_.imported_functions;
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::AddTable(Type type, const wabt::Limits& limits,
                                              bool imported) {
  std::optional<ValueType> value_type = ToValueType(type);
  if (!value_type.has_value()) {
    return Fail(Reason::kWasmMalformed, "a table's type is not a reference type", state->offset);
  }
  CHECK_RESULT(Check(validator_.OnTable(At(state->offset), type, limits), state->offset));
  module_.tables.push_back({*value_type, ToLimits(limits), imported});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::AddMemory(const wabt::Limits& limits, bool imported) {
  CHECK_RESULT(Check(validator_.OnMemory(At(state->offset), limits), state->offset));
  module_.memories.push_back({ToLimits(limits), imported});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnImportFunc(Index, std::string_view module,
                                                  std::string_view name, Index index, Index type) {
  CHECK_RESULT(AddFunction(type, true));
  module_.imports.push_back({std::string(module), std::string(name), ExternKind::kFunction, index});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnImportTable(Index, std::string_view module,
                                                   std::string_view name, Index index, Type type,
                                                   const wabt::Limits* limits) {
  CHECK_RESULT(AddTable(type, *limits, true));
  module_.imports.push_back({std::string(module), std::string(name), ExternKind::kTable, index});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnImportMemory(Index, std::string_view module,
                                                    std::string_view name, Index index,
                                                    const wabt::Limits* limits) {
  CHECK_RESULT(AddMemory(*limits, true));
  module_.imports.push_back({std::string(module), std::string(name), ExternKind::kMemory, index});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnImportGlobal(Index, std::string_view module,
                                                    std::string_view name, Index index, Type type,
                                                    bool is_mutable) {
  CHECK_RESULT(
      Check(validator_.OnGlobalImport(At(state->offset), type, is_mutable), state->offset));
  module_.globals.push_back({*ToValueType(type), is_mutable, true, {}});
  module_.imports.push_back({std::string(module), std::string(name), ExternKind::kGlobal, index});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnFunction(Index, Index type) {
  return AddFunction(type, false);
}

ModuleDecoder::Result ModuleDecoder::OnTable(Index, Type type, const wabt::Limits* limits) {
  return AddTable(type, *limits, false);
}

ModuleDecoder::Result ModuleDecoder::OnMemory(Index, const wabt::Limits* limits) {
  return AddMemory(*limits, false);
}

ModuleDecoder::Result ModuleDecoder::BeginGlobal(Index, Type type, bool is_mutable) {
  CHECK_RESULT(Check(validator_.OnGlobal(At(state->offset), type, is_mutable), state->offset));
  global_type_ = type;
  module_.globals.push_back({*ToValueType(type), is_mutable, false, {}});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnExport(Index, wabt::ExternalKind kind, Index item,
                                              std::string_view name) {
  // Before the validator: its message holds the whole name, on the stack.
  if (!export_names_.insert(name).second) {
    return Fail(Reason::kWasmInvalid, "duplicate export [" + std::string(name.substr(0, 100)) + "]",
                state->offset);
  }
  wabt::Var var(item, At(state->offset));
  CHECK_RESULT(Check(validator_.OnExport(At(state->offset), kind, var, name), state->offset));
  // Both follow the binary format's numbers.
  module_.exports.push_back({std::string(name), static_cast<ExternKind>(kind), item});
  return Result::Ok;
}

ModuleDecoder::Result ModuleDecoder::OnStartFunction(Index function) {
  wabt::Var var(function, At(state->offset));
  CHECK_RESULT(Check(validator_.OnStart(At(state->offset), var), state->offset));
  module_.start = function;
  return Result::Ok;
}

}  // namespace wb
