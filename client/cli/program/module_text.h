#pragma once

// A module for people. Pure.

#include <functional>
#include <string>

#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// A line for each import and export with its kind and type, imports first: "  import function
// env.log (i32) -> ()". Without a last line end.
// `note` (optional): what stands behind an import's line, in brackets.
std::string ModuleText(
    const wasmburst::v1::Module& module,
    const std::function<std::string(const wasmburst::v1::ModuleImport&)>& note = nullptr);

}  // namespace wb::cli
