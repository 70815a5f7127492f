#pragma once

// AssemblyScript's table of a module's classes, which `--exportRuntime` exports as the address
// `__rtti_base`: how many there are, then a word of flags for each, by the class's number. Pure.

#include <cstdint>
#include <vector>

#include "compiler/wasm/module.h"

namespace wb {

constexpr uint32_t kMostScriptClasses = 4096;

// The flags of each class, as the data segments write them. Empty: the module has no such table,
// or one of more classes.
std::vector<uint32_t> ScriptClassFlags(const Module& module);

}  // namespace wb
