#pragma once

// When the compiler of a job that runs on the interpreter meanwhile begins, and whether a quick
// build serves it until the full one is ready. Pure.
//
// A compiler takes processors from the interpreter. It pays where the job ends sooner with it: so
// long as it works the interpreter has the processors that are left, then each instance that has
// not ended starts on the compiled kernel. It pays too where a processor is idle, and when the time
// that ended jobs of the module spent on the interpreter would have paid for it: so however short
// its jobs are, a module that many of them call is compiled at last.

#include <cstdint>
#include <string>

#include "scheduler/placement/decision.h"

namespace wb {

struct BuildPicture {
  // The interpreter, which has the job; and the device that is compiled for, `ready_in` being the
  // compiler's time.
  JobPicture job;
  uint64_t jobs = 1;       // that take turns on the interpreter, this one included
  uint32_t compilers = 0;  // at work already, on the interpreter's processors
  double spent = 0;        // seconds of ended jobs of the module there, while it was not compiled
  // The compiler was never timed. Where the interpreter is slower than usual other work has the
  // processors, or they are slow ones, and so will the compiler be.
  bool is_guess = false;
};

struct BuildChoice {
  bool begins = true;
  std::string reason;  // a sentence with the numbers
};

BuildChoice WhetherToBuild(const BuildPicture& picture);

// What launches have shown of a module on its quick build and on the interpreter, which use the
// same processors. A build without optimisation keeps every value in memory, so which one is
// quicker depends on the module.
struct QuickChoice {
  enum class Is : uint8_t {
    kUnknown,  // one of the two has not run it
    kQuicker,
    kSlower,  // clearly
  };
  Is is = Is::kUnknown;
  std::string reason;  // a sentence with the numbers
};
QuickChoice CompareQuick(const Candidate& quick, const Candidate& interpreter);

}  // namespace wb
