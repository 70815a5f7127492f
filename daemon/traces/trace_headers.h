#pragma once

// The file of headers that go with spans ([traces] headers_file).

#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

// Lines NAME: VALUE; empty lines and those that begin with # are skipped. "NAME: VALUE" each.
// CONFIG_INVALID names the line. Pure.
Result<std::vector<std::string>> ParseTraceHeaders(std::string_view text, const std::string& file);
// "": none. CONFIG_INVALID also where the file cannot be read, or others may read it.
Result<std::vector<std::string>> ReadTraceHeaders(const std::string& file);

}  // namespace wb
