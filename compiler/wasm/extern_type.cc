#include "compiler/wasm/extern_type.h"

namespace wb {
namespace {

std::string TypesText(const std::vector<ValueType>& types) {
  std::string text = "(";
  for (const ValueType type : types) {
    text += (text.size() == 1 ? "" : ", ") + std::string(TypeName(type));
  }
  return text + ")";
}

// One result stands alone: "(i32) -> i32".
std::string FunctionText(const FunctionType& type) {
  const bool one = type.results.size() == 1;
  return TypesText(type.params) + " -> " +
         (one ? std::string(TypeName(type.results[0])) : TypesText(type.results));
}

std::string LimitsText(const Limits32& limits) {
  const std::string min = std::to_string(limits.min);
  return limits.max ? min + ".." + std::to_string(*limits.max) : min + " or more";
}

std::string GlobalText(const Global& global) {
  return (global.is_mutable ? "mutable " : "") + std::string(TypeName(global.type));
}

}  // namespace

std::string ExternTypeText(const Module& module, ExternKind kind, uint32_t index) {
  switch (kind) {
    case ExternKind::kFunction: return FunctionText(module.type_of(index));
    case ExternKind::kTable:
      return LimitsText(module.tables[index].limits) + " " +
             std::string(TypeName(module.tables[index].type));
    case ExternKind::kMemory: return LimitsText(module.memories[index].limits) + " pages";
    case ExternKind::kGlobal: return GlobalText(module.globals[index]);
    case ExternKind::kTag: return "";
  }
  return "";
}

}  // namespace wb
