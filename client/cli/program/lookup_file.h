#pragma once

// The table of a look-up as a CSV file. Its header says what each column is, "arg:TYPE" or
// "result:TYPE", the arguments first: "arg:i32,arg:f64,result:i64".

#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

// `path` is the file's name in errors, which have line and column. `otherwise`: results where no
// row fits, with commas; empty: none. INVALID_ARGUMENT. Pure.
Result<wasmburst::v1::Binding::Lookup> ParseLookup(const std::string& csv, const std::string& path,
                                                   const std::string& otherwise);

}  // namespace wb::cli
