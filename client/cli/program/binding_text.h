#pragma once

// Bindings of imports as --bind says them.

#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

// "MODULE.NAME=WAY", where WAY is trap, ignore, record, record:VALUES or constant:VALUES, and
// VALUES "i32:7,f64:0.5", or lookup:FILE.csv or lookup:FILE.csv,otherwise=0.5 (lookup_file.h). WAY
// is what follows the last = sign, or "=lookup:". INVALID_ARGUMENT; IO_ERROR for the file.
Result<wasmburst::v1::Binding> ParseBinding(const std::string& text);

}  // namespace wb::cli
