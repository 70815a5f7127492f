#pragma once

// What an instance of a program does in tests, in place of a guest. Its standard output is its
// arguments without the first, a line each, then its own files as PATH=BYTES lines, then its
// standard input. Its environment says more: ERR=TEXT is its standard error, EXIT=N its exit code,
// TRAP=1 lets it trap at the end. Every output file is "file of INSTANCE". Pure.

#include "scheduler/job/job.h"

namespace wb {

// Fills in outputs and the end.
void RunFakeProgram(const JobSpec& spec, InstanceResult* result);

}  // namespace wb
