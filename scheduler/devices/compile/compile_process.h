#pragma once

// Runs a compiler as a child process: by argument list, never through a shell, in a private folder,
// with bounds on time and memory. A stranger's module shaped the text that it reads, so it may hang
// or crash. Then it is killed with everything that it started, as it is when this process ends
// (child_process.h).

#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/devices/compile/child_process.h"

namespace wb {

struct ChildReport {
  bool timed_out = false;
  int exit_code = 0;                           // if it exited
  int signal = 0;                              // if a signal ended it
  std::chrono::microseconds processor_time{};  // of it and what it waited for
  bool disk_full = false;                      // where it worked, at its end
  std::string message;                         // the beginning of its standard error (and output)
};

// Runs argv[0] (a path) with `folder` as working directory and TMPDIR, isolated as the limits say.
// Waits until it has ended or
// its time is over. Any thread. MACHINE_FAULT or IO_ERROR when it cannot be started.
Result<ChildReport> RunChild(const std::vector<std::string>& argv, const std::string& folder,
                             const ChildLimits& limits);

// Its two halves, for a child that waits for what it is to do (warm_processes.h). The first gives
// 0, or the errno of what failed. The second waits until the child has ended or `deadline` is over,
// and reaps it.
std::string OutputOf(const std::string& folder);  // the file with what it says
int StartChild(ChildProcess& child, const std::vector<std::string>& argv, const std::string& folder,
               const ChildLimits& limits);
ChildReport AwaitChild(const ChildProcess& child, std::chrono::steady_clock::time_point deadline,
                       const std::string& folder, const ChildLimits& limits);

}  // namespace wb
