#pragma once

// The functions that a module may import from `wasmburst` (compiler/abi/primitive.def).

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/wasm/module.h"

namespace wb {

inline constexpr std::string_view kPrimitiveModule = "wasmburst";

struct PrimitiveFacts {
  Primitive primitive = Primitive::kNone;
  std::string_view name;  // of the import
  FunctionType type;
  bool uses_memory = false;
};

// Null where no primitive has the name.
const PrimitiveFacts* FindPrimitive(std::string_view module, std::string_view name);
const PrimitiveFacts& FactsOf(Primitive primitive);
std::string PrimitiveNames();  // "[input_size], [input_read] ..."

// Some function is a primitive, bound already (Link) or not.
bool UsesPrimitives(const Module& module);

}  // namespace wb
