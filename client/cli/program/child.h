#pragma once

// Programs that the client starts: those that are installed beside it. The scheduler has a way of
// its own to run child processes, but the client may not link that.

#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb::cli {

// The path of a program beside this one: in its folder, in libexec, or in `build_folder` of a
// build. NOT_FOUND says where it was looked for.
Result<std::string> FindCompanion(const std::string& name, const std::string& build_folder);

struct ChildEnd {
  int exit_code = 0;   // 128 + signal if one ended it
  std::string output;  // of its standard output; its standard error is ours
};

// Runs a program to its end, without a shell; `input` is its standard input. IO_ERROR if it cannot
// be started.
Result<ChildEnd> RunToEnd(const std::vector<std::string>& command, const std::string& input);

}  // namespace wb::cli
