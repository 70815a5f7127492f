#pragma once

// What becomes of each system call under a policy, as a table (system_calls.def) and as the program
// that the kernel runs at every call (seccomp(2)). Pure.

#include <cstdint>
#include <vector>

#include "scheduler/sandbox/policy.h"

namespace wb {

enum class Verdict : uint8_t {
  kAllow,
  kRefuse,   // EPERM: programs probe for it and go on without
  kUnknown,  // ENOSYS: the C library then uses an older call
  kEnd,      // the process is killed: no compiler and no kernel ever needs it
  kProcess,  // clone: threads and processes, but no namespace
  kThread,   // clone: threads alone
  kNotBoth,  // mmap and its like: memory is never writable and executable at once
  kSelf,     // of the calling process alone, which 0 names in the first argument
  kUnix,     // socket: of the family AF_UNIX alone
};

// An instruction of classic BPF, laid out as the kernel's sock_filter.
struct FilterStep {
  uint16_t code;
  uint8_t if_true;  // instructions to skip
  uint8_t if_false;
  uint32_t value;
};

// Calls that the table does not name are refused, under kGpu allowed. Calls newer than all of the
// table are unknown. Everything is allowed on systems other than Linux on x86-64 and ARM64.
Verdict VerdictOf(SandboxPolicy policy, uint32_t number);

// Empty where there is no such table.
std::vector<FilterStep> FilterOf(SandboxPolicy policy);

}  // namespace wb
