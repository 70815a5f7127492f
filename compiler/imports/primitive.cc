#include "compiler/imports/primitive.h"

#include <algorithm>
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
    if (facts.name == name) return &facts;
  }
  return nullptr;
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
