#include "tests/spec/spectest.h"

#include <bit>

namespace wb::spec {
namespace {

Imports MakeSpectest() {
  Imports imports;
  const auto print = [&](const char* name, std::vector<ValueType> params) {
    imports.Add("spectest", name, Imports::Function{{std::move(params), {}}});
  };
  const auto global = [&](const char* name, ValueType type, uint64_t bits) {
    imports.Add("spectest", name, Imports::Global{type, false, bits});
  };
  print("print", {});
  print("print_i32", {ValueType::kI32});
  print("print_i64", {ValueType::kI64});
  print("print_f32", {ValueType::kF32});
  print("print_f64", {ValueType::kF64});
  print("print_i32_f32", {ValueType::kI32, ValueType::kF32});
  print("print_f64_f64", {ValueType::kF64, ValueType::kF64});
  global("global_i32", ValueType::kI32, 666);
  global("global_i64", ValueType::kI64, 666);
  global("global_f32", ValueType::kF32, std::bit_cast<uint32_t>(666.6f));
  global("global_f64", ValueType::kF64, std::bit_cast<uint64_t>(666.6));
  imports.Add("spectest", "table", Imports::Table{ValueType::kFuncRef, {10, 20}});
  imports.Add("spectest", "memory", Imports::Memory{{1, 2}});
  return imports;
}

}  // namespace

const Imports& Spectest() {
  static const Imports imports = MakeSpectest();
  return imports;
}

std::string GetterName(const std::string& global) { return "get global: " + global; }

std::shared_ptr<const Module> WithGetters(std::shared_ptr<const Module> module,
                                          const std::vector<std::string>& globals) {
  if (globals.empty()) return module;
  auto with = std::make_shared<Module>(*module);
  for (const std::string& name : globals) {
    const Export* exported = module->FindExport(name, ExternKind::kGlobal);
    const std::string getter = GetterName(name);
    if (exported == nullptr || with->FindExport(getter, ExternKind::kFunction) != nullptr) continue;
    const uint32_t function = static_cast<uint32_t>(with->functions.size());
    const uint32_t type = static_cast<uint32_t>(with->types.size());
    with->types.push_back({{}, {module->globals[exported->index].type}});
    with->functions.push_back({type, false});
    with->exports.push_back({getter, ExternKind::kFunction, function});
    Body body;
    body.instructions.push_back({Opcode::kGlobalGet, 0, 0, exported->index});
    with->bodies.push_back(std::move(body));
  }
  return with;
}

}  // namespace wb::spec
