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
#undef WB_TYPES
  return all;
}

}  // namespace

const PrimitiveFacts* FindPrimitive(std::string_view module, std::string_view name) {
  if (module != kPrimitiveModule) return nullptr;
  for (const PrimitiveFacts& facts : AllPrimitives()) {
    if (facts.primitive != Primitive::kHostCall && facts.name == name) return &facts;
  }
  return nullptr;
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
    if (facts.primitive == Primitive::kHostCall) continue;
    names += (names.empty() ? "[" : ", [") + std::string(facts.name) + "]";
  }
  return names;
}

bool UsesPrimitives(const Module& module) {
  const auto imported = [](const Import& import) {
    return FindPrimitive(import.module, import.name) != nullptr;
  };
  const auto bound = [](const Body& body) { return body.primitive != Primitive::kNone; };
  return std::any_of(module.imports.begin(), module.imports.end(), imported) ||
         std::any_of(module.bodies.begin(), module.bodies.end(), bound);
}

}  // namespace wb
