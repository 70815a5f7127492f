#pragma once

// A module for people. Pure.

#include <string>

#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// A line for each import and export with its kind and type, imports first: "  import function
// env.log (i32) -> ()". Without a last line end.
std::string ModuleText(const wasmburst::v1::Module& module);

}  // namespace wb::cli
