#pragma once

// --each-file: the files that a pattern names, an instance each.

#include <string>
#include <vector>

#include "client/cli/program/arg_spec.h"
#include "compiler/base/status.h"

namespace wb::cli {

// The column of bytes that holds them, in --program and --columns.
inline constexpr const char* kFileColumn = "file";

// What one job takes.
struct FileBounds {
  size_t most_files = 1'000'000;
  uint64_t most_bytes = uint64_t{1} << 30;  // of all together
};

// The paths that match a pattern of the shell, sorted by their bytes, without folders.
// INVALID_ARGUMENT when none matches or there are too many; IO_ERROR.
Result<std::vector<std::string>> ListEachFile(const std::string& pattern,
                                              const FileBounds& bounds = {});

// The files whose paths match a pattern of the shell (*, ?, [...]), sorted by their bytes, read;
// folders are left out. INVALID_ARGUMENT when none matches or there are too many; IO_ERROR.
Result<ArgSpec> ReadEachFile(const std::string& pattern, const FileBounds& bounds = {});

}  // namespace wb::cli
