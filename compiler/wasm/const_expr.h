#pragma once

// Constant expressions, made one constant as soon as the globals that they read are known.
// Source: extended constant expressions (proposal): i32 and i64 add, sub, mul.

#include <functional>
#include <optional>
#include <span>

#include "compiler/wasm/module.h"

namespace wb {

// What a global of the module holds, as one operator; nothing: it is not known.
using GlobalValue = std::function<std::optional<Instruction>(uint64_t global)>;

// What these valid operators come to, with the offset of the first. Nothing if they read a global
// that is not known; without `global` none is known.
std::optional<Instruction> ValueOf(std::span<const Instruction> operators,
                                   const GlobalValue& global);

// For an expression of the module; `global` knows every global that it reads.
Instruction ValueOf(const Module& module, const ConstExpr& expression, const GlobalValue& global);

}  // namespace wb
