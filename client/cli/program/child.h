#pragma once

// Programs that the client starts: those that are installed beside it. The scheduler has a way of
// its own to run child processes, but the client may not link that.

#include <sys/types.h>

#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb::cli {

// The path of a program beside this one: in its folder, in libexec, in sbin, or in `build_folder`
// of a build. NOT_FOUND says where it was looked for.
Result<std::string> FindCompanion(const std::string& name, const std::string& build_folder);

struct ChildEnd {
  int exit_code = 0;   // 128 + signal if one ended it
  std::string output;  // of its standard output; its standard error is ours
};

// Starts a program, without a shell, whose standard input and output are these descriptors; its
// standard error is ours. It is the leader of a process group of its own where `in_own_group`.
// The caller waits for it. IO_ERROR.
Result<pid_t> StartChild(const std::vector<std::string>& command, int input, int output,
                         bool in_own_group);

// Runs a program to its end, without a shell; `input` is its standard input. IO_ERROR if it cannot
// be started.
Result<ChildEnd> RunToEnd(const std::vector<std::string>& command, const std::string& input);

}  // namespace wb::cli
