#include "compiler/imports/primitive.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "compiler/base/check.h"

namespace wb {
namespace {

const std::vector<PrimitiveFacts>& AllPrimitives() {
  constexpr ValueType I32 = ValueType::kI32;
  constexpr ValueType I64 = ValueType::kI64;
#define WB_TYPES(...) \
  { __VA_ARGS__ }
  static const std::vector<PrimitiveFacts> all = {
#define WB_PRIMITIVE(name, upper, number, import, results, params, memory) \
  {Primitive::k##name, import, {WB_TYPES params, WB_TYPES results}, memory != 0},
#include "compiler/abi/primitive.def"
#undef WB_PRIMITIVE
  };
  return all;
}

const std::vector<PrimitiveFacts>& GpuStd() {
  constexpr ValueType I32 = ValueType::kI32;
  constexpr ValueType I64 = ValueType::kI64;
  constexpr ValueType F32 = ValueType::kF32;
  constexpr ValueType F64 = ValueType::kF64;
#define WB_CODE(operation, scope, type)                                          \
  (abi::COLLECT_##operation | abi::COLLECT_##scope << abi::COLLECT_SCOPE_SHIFT | \
   abi::COLLECT_##type << abi::COLLECT_TYPE_SHIFT)
#define WB_ACCESS(operation, type) \
  (abi::ACCESS_##operation | abi::COLLECT_##type << abi::COLLECT_TYPE_SHIFT)
  static const std::vector<PrimitiveFacts> all = {
#define WB_GPU_STD(import, primitive, code, results, params) \
  {Primitive::k##primitive,                                  \
   import,                                                   \
   {WB_TYPES params, WB_TYPES results},                      \
   FactsOf(Primitive::k##primitive).uses_memory,             \
   code},
#include "compiler/abi/gpu_std.def"
#undef WB_GPU_STD
  };
#undef WB_ACCESS
#undef WB_CODE
#undef WB_TYPES
  return all;
}

const PrimitiveFacts* FindNamed(const std::vector<PrimitiveFacts>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const PrimitiveFacts& facts) {
    return facts.name == name && facts.primitive != Primitive::kHostCall;
  });
  return name.empty() || found == all.end() ? nullptr : &*found;
}

bool HasFunction(const Module& module, bool (*is)(Primitive)) {
  const auto imported = [&](const Import& import) {
    const PrimitiveFacts* facts = FindPrimitive(import.module, import.name);
    return facts != nullptr && is(facts->primitive);
  };
  const auto bound = [&](const Body& body) { return is(body.primitive); };
  return std::any_of(module.imports.begin(), module.imports.end(), imported) ||
         std::any_of(module.bodies.begin(), module.bodies.end(), bound);
}

}  // namespace

const PrimitiveFacts* FindPrimitive(std::string_view module, std::string_view name) {
  if (module == kPrimitiveModule) return FindNamed(AllPrimitives(), name);
  return module == kGpuStdModule ? FindNamed(GpuStd(), name) : nullptr;
}

std::optional<uint32_t> FindHostCall(std::string_view module, std::string_view name) {
  const std::string_view prefix = FactsOf(Primitive::kHostCall).name;
  if (module != kPrimitiveModule || !name.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::string HostCallName(uint32_t import) {
  return std::string(FactsOf(Primitive::kHostCall).name) + std::to_string(import);
}

const PrimitiveFacts& FactsOf(Primitive primitive) {
  for (const PrimitiveFacts& facts : AllPrimitives()) {
    if (facts.primitive == primitive) return facts;
  }
  WB_CHECK(!"a primitive of the table");
  return AllPrimitives().front();
}

std::string PrimitiveNames() {
  std::string names;
  for (const PrimitiveFacts& facts : AllPrimitives()) {
    if (facts.primitive == Primitive::kHostCall || facts.name.empty()) continue;
    names += (names.empty() ? "[" : ", [") + std::string(facts.name) + "]";
  }
  return names;
}

bool UsesPrimitives(const Module& module) {
  return HasFunction(module, [](Primitive primitive) { return primitive != Primitive::kNone; });
}

bool Logs(const Module& module) {
  return HasFunction(module, [](Primitive primitive) { return primitive == Primitive::kLog; });
}

bool WritesOutput(const Module& module) {
  return HasFunction(module, [](Primitive primitive) {
    return primitive == Primitive::kOutputWrite || primitive == Primitive::kOutputValues ||
           primitive == Primitive::kLog;
  });
}

bool IsOfGroup(Primitive primitive) {
  return primitive == Primitive::kCollective || primitive == Primitive::kGroupMemory;
}

bool RunsInGroups(const Module& module) { return HasFunction(module, IsOfGroup); }

}  // namespace wb
