#pragma once

// Files as the client reads and writes them: whole.

#include <fstream>
#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wb::cli {

Result<std::ifstream> OpenFile(const std::string& path);  // to read; IO_ERROR
Result<std::string> ReadFile(const std::string& path);    // "-": standard input; IO_ERROR
// IO_ERROR where WriteFile would fail; leaves a new file empty and an old one as it is.
Status CheckWritable(const std::string& path);
Status WriteFile(const std::string& path, std::string_view bytes);  // IO_ERROR

}  // namespace wb::cli
