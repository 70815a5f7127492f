#pragma once

// Constant expressions, made one constant as soon as the globals that they read are known.
// Source: extended constant expressions (proposal): i32 and i64 add, sub, mul.

#include <functional>
#include <optional>
#include <span>

#include "compiler/wasm/module.h"

namespace wb {

// What a global of the module that it is asked in holds: one operator; nothing: not known.
using GlobalValue = std::function<std::optional<Instruction>(uint64_t global)>;

// What these operators, which are valid, come to; at the place of the first. Nothing where it takes
// a global that is not known (none is without `global`).
std::optional<Instruction> ValueOf(std::span<const Instruction> operators,
                                   const GlobalValue& global);

// Of the module's; `global` knows all that it reads.
Instruction ValueOf(const Module& module, const ConstExpr& expression, const GlobalValue& global);

}  // namespace wb
