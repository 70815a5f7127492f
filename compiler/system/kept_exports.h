#pragma once

// A module without what nothing calls, so that a program pays for the calls that it makes. Pure.

#include <map>
#include <string_view>

#include "compiler/wasm/module.h"

namespace wb {

// Functions to keep: the name that the module exports each as -> the one that the result does.
using KeptNames = std::map<std::string_view, std::string_view>;

// The module's binary with the other functions' exports left out. A function that no kept one
// calls, however deep, has a body that traps; all keep their numbers. The module has no table
// elements, start function or references to functions, by which others could be called.
Bytes WithExportsOnly(const Module& module, const KeptNames& kept);

}  // namespace wb
