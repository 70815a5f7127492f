#pragma once

// Answers of wasmburst-compile, in the JSON form of the messages of
// proto/wasmburst/v1/modules.proto.

#include <string>

#include "compiler/base/status.h"
#include "compiler/wasm/module.h"

namespace wb {

std::string ModuleJson(const Module& module);  // a Module

// A CompileModuleResponse.
std::string CompiledJson(const Module& module, const std::string& text);

// {"error": {"reason": "WASM_INVALID", "message": "...", "details": [{"key": "...", "value":
// "..."}]}}
std::string ErrorJson(const Status& status);

}  // namespace wb
