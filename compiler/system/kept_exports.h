#pragma once

// A module without what nothing calls, so that a program pays for the calls that it makes. Pure.

#include <set>
#include <string_view>

#include "compiler/wasm/module.h"

namespace wb {

// The module's binary with the other functions' exports left out. A function that no kept one
// calls, however deep, has a body that traps; all keep their numbers. The module has no table
// elements, start function or references to functions, by which others could be called.
Bytes WithExportsOnly(const Module& module, const std::set<std::string_view>& kept);

}  // namespace wb
