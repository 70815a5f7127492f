#pragma once

// Bindings of imports as --bind says them.

#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

// "MODULE.NAME=WAY", where WAY is trap, ignore, record, record:VALUES or constant:VALUES, and
// VALUES "i32:7,f64:0.5". WAY is what follows the last = sign. INVALID_ARGUMENT.
Result<wasmburst::v1::Binding> ParseBinding(const std::string& text);

}  // namespace wb::cli
