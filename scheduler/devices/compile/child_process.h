#pragma once

// A child process that is trusted with nothing. It has standard streams only (with nothing to
// read), a process group of its own, and signals as at the start of a program. Its limits are in
// force before its first instruction. On Linux the whole group is killed when this process ends,
// however it ends. Elsewhere the child has no limits, and lives until its owner kills it.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/sandbox/policy.h"

namespace wb {

class Sandbox;  // scheduler/sandbox/sandbox.h

struct ChildLimits {
  std::chrono::milliseconds max_time{120000};     // on the wall; the owner's to keep
  uint64_t max_memory_bytes = uint64_t{4} << 30;  // address space of each process
  uint64_t max_file_bytes = uint64_t{512} << 20;  // of each file it writes
  size_t max_message_bytes = 4096;                // kept of what it says
  int niceness = 5;                               // more than this process's
  Isolation isolation = Isolation::kOff;          // of the policy kCompiler
  std::vector<std::string> reads;                 // folders, beside the system's and its own
};

struct ChildPlan {
  std::vector<std::string> argv;  // the first is a path
  std::vector<std::string> env;
  std::string folder;  // where it works
  std::string output;  // this file gets its standard output and error, at its end
  ChildLimits limits;
  const Sandbox* sandbox = nullptr;  // the child enters it; null: none
};

class ChildProcess {
 public:
  ChildProcess() = default;
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Returns 0, or the errno of the step that failed. Called once. The caller reaps the child before
  // this object ends.
  int Start(const ChildPlan& plan);
  pid_t pid() const { return pid_; }  // also its group's
  // Lowers its limit, from now on.
  void LimitMemory(uint64_t bytes) const;

 private:
  pid_t pid_ = 0;
  int lifeline_ = -1;  // while it is open here, the child may live
};

}  // namespace wb
