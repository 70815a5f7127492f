#pragma once

// Types of what modules import and export, in words. Pure.

#include <cstdint>
#include <string>

#include "compiler/wasm/module.h"

namespace wb {

// Of the item `index` in the index space of its kind: "(i32, i64) -> i32", "() -> ()", "1..2
// pages", "1 or more pages", "10..20 funcref", "mutable i32". Empty for kinds that modules do not
// have.
std::string ExternTypeText(const Module& module, ExternKind kind, uint32_t index);

}  // namespace wb
