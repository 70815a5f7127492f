#pragma once

// Which trace a command belongs to.

#include <string>

#include "compiler/base/status.h"

namespace wb::cli {

// What goes with each call of the command: the flag's, else that of the environment (TRACEPARENT),
// as they are, else a new trace, which is not marked as sampled. INVALID_ARGUMENT: the flag is no
// `traceparent`. What the environment has and is none counts as nothing, as W3C asks for.
Result<std::string> ChooseTraceParent(const std::string& flag, const std::string& environment);

}  // namespace wb::cli
