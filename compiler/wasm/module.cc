#include "compiler/wasm/module.h"

#include <algorithm>
#include <string>

namespace wb {
namespace {

void AppendTypes(std::string* text, const std::vector<ValueType>& types) {
  *text += '(';
  for (size_t i = 0; i < types.size(); ++i) {
    if (i != 0) *text += ", ";
    *text += TypeName(types[i]);
  }
  *text += ')';
}

}  // namespace

std::string FunctionType::ToString() const {
  std::string text;
  AppendTypes(&text, params);
  text += " -> ";
  AppendTypes(&text, results);
  return text;
}

std::string_view ExternKindName(ExternKind kind) {
  switch (kind) {
    case ExternKind::kFunction: return "function";
    case ExternKind::kTable: return "table";
    case ExternKind::kMemory: return "memory";
    case ExternKind::kGlobal: return "global";
    case ExternKind::kTag: return "tag";
  }
  return "unknown";
}

const Export* Module::FindExport(std::string_view name, ExternKind kind) const {
  return FindExport(name, kind,
                    instances.empty() ? 0 : static_cast<uint32_t>(instances.size() - 1));
}

const Export* Module::FindExport(std::string_view name, ExternKind kind, uint32_t instance) const {
  auto found = std::find_if(exports.begin(), exports.end(), [&](const Export& candidate) {
    return candidate.instance == instance && candidate.kind == kind && candidate.name == name;
  });
  return found == exports.end() ? nullptr : &*found;
}

std::vector<uint32_t> Module::GlobalWords() const {
  std::vector<uint32_t> words;
  uint32_t next = 0;
  for (const Global& global : globals) {
    words.push_back(next);
    next += TypeWords(global.type);
  }
  return words;
}

FunctionPlace Module::PlaceOf(uint32_t function) const {
  if (instances.empty()) return {nullptr, function};
  for (const LinkedInstance& instance : instances) {
    const uint32_t at = function - instance.first_function;
    if (instance.instantiate == function && function != 0) return {&instance, std::nullopt};
    if (at < instance.functions) return {&instance, instance.imported_functions + at};
  }
  return {};
}

}  // namespace wb
