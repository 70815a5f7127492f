#pragma once

// What the daemon says of a request's fields, in the words that were typed. Pure.

#include <string>

namespace wb::cli {

// The text with the fields of flag_names.def replaced by their flags: "The field
// [job.limits.max_fuel] asks" is "The flag [--fuel] asks".
std::string WithFlagNames(const std::string& text);

}  // namespace wb::cli
