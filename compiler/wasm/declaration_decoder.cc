#include "compiler/wasm/declaration_decoder.h"

#include <string>

namespace wb {
namespace {

// Implementation limits of the specification's appendix as browsers agree on them.
constexpr uint32_t kMaxSignature = 1000;

std::vector<ValueType> ToValueTypes(const wabt::Type* types, wabt::Index count) {
  std::vector<ValueType> values;
  values.reserve(count);
  // The reader has checked that these are value types.
  for (wabt::Index i = 0; i < count; ++i) values.push_back(*ToValueType(types[i]));
  return values;
}

Limits32 ToLimits(const wabt::Limits& limits) {
  Limits32 result{static_cast<uint32_t>(limits.initial), {}};
  if (limits.has_max) result.max = static_cast<uint32_t>(limits.max);
  return result;
}

}  // namespace

DeclarationDecoder::Result DeclarationDecoder::OnFuncType(Index index, Index param_count,
                                                          Type* params, Index result_count,
                                                          Type* results) {
  if (param_count > kMaxSignature || result_count > kMaxSignature) {
    return Fail(Reason::kWasmInvalid,
                "implementation limit: a function type has [" + std::to_string(param_count) +
                    "] parameters and [" + std::to_string(result_count) +
                    "] results, at most 1000 of each are read",
                state->offset);
  }
  CHECK_RESULT(Check(
      validator().OnFuncType(At(state->offset), param_count, params, result_count, results, index),
      state->offset));
  decoded().types.push_back(
      {ToValueTypes(params, param_count), ToValueTypes(results, result_count)});
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::AddFunction(Index type, bool imported) {
  CHECK_RESULT(Charge(SignatureValues(type), state->offset));
  wabt::Var var(type, At(state->offset));
  CHECK_RESULT(Check(validator().OnFunction(At(state->offset), var), state->offset));
  decoded().functions.push_back({type, imported});
  if (imported) ++decoded().imported_functions;
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::AddTable(Type type, const wabt::Limits& limits,
                                                        bool imported) {
  std::optional<ValueType> value_type = ToValueType(type);
  if (!value_type.has_value()) {
    return Fail(Reason::kWasmMalformed, "a table's type is not a reference type", state->offset);
  }
  CHECK_RESULT(Check(validator().OnTable(At(state->offset), type, limits), state->offset));
  decoded().tables.push_back({*value_type, ToLimits(limits), imported});
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::AddMemory(const wabt::Limits& limits,
                                                         bool imported) {
  CHECK_RESULT(Check(validator().OnMemory(At(state->offset), limits), state->offset));
  decoded().memories.push_back({ToLimits(limits), imported});
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::OnImportFunc(Index, std::string_view module,
                                                            std::string_view name, Index index,
                                                            Index type) {
  CHECK_RESULT(AddFunction(type, true));
  decoded().imports.push_back(
      {std::string(module), std::string(name), ExternKind::kFunction, index});
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::OnImportTable(Index, std::string_view module,
                                                             std::string_view name, Index index,
                                                             Type type,
                                                             const wabt::Limits* limits) {
  CHECK_RESULT(AddTable(type, *limits, true));
  decoded().imports.push_back({std::string(module), std::string(name), ExternKind::kTable, index});
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::OnImportMemory(Index, std::string_view module,
                                                              std::string_view name, Index index,
                                                              const wabt::Limits* limits) {
  CHECK_RESULT(AddMemory(*limits, true));
  decoded().imports.push_back({std::string(module), std::string(name), ExternKind::kMemory, index});
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::OnImportGlobal(Index, std::string_view module,
                                                              std::string_view name, Index index,
                                                              Type type, bool is_mutable) {
  CHECK_RESULT(
      Check(validator().OnGlobalImport(At(state->offset), type, is_mutable), state->offset));
  decoded().globals.push_back({*ToValueType(type), is_mutable, true, {}});
  decoded().imports.push_back({std::string(module), std::string(name), ExternKind::kGlobal, index});
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::OnFunction(Index, Index type) {
  return AddFunction(type, false);
}

DeclarationDecoder::Result DeclarationDecoder::OnTable(Index, Type type,
                                                       const wabt::Limits* limits) {
  return AddTable(type, *limits, false);
}

DeclarationDecoder::Result DeclarationDecoder::OnMemory(Index, const wabt::Limits* limits) {
  return AddMemory(*limits, false);
}

DeclarationDecoder::Result DeclarationDecoder::OnExport(Index, wabt::ExternalKind kind, Index item,
                                                        std::string_view name) {
  // Before the validator: its message holds the whole name, on the stack.
  if (!export_names_.insert(name).second) {
    return Fail(Reason::kWasmInvalid, "duplicate export [" + std::string(name.substr(0, 100)) + "]",
                state->offset);
  }
  wabt::Var var(item, At(state->offset));
  CHECK_RESULT(Check(validator().OnExport(At(state->offset), kind, var, name), state->offset));
  // Both follow the binary format's numbers.
  decoded().exports.push_back({std::string(name), static_cast<ExternKind>(kind), item});
  return Result::Ok;
}

DeclarationDecoder::Result DeclarationDecoder::OnStartFunction(Index function) {
  wabt::Var var(function, At(state->offset));
  CHECK_RESULT(Check(validator().OnStart(At(state->offset), var), state->offset));
  decoded().start = function;
  return Result::Ok;
}

}  // namespace wb
