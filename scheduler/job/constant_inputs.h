#pragma once

// Constant arguments of a small job become inputs, so that jobs which differ in these constants
// alone have the same lane program and may share a launch. Pure.

#include "scheduler/job/job.h"
#include "scheduler/job/lane_program.h"
#include "scheduler/job/program_encoder.h"

namespace wb {

// Of a job of at most 4,096 instances to run: each constant argument of a call becomes a column of
// `spec`, and `program` is encoded again, with these inputs. Both stay as they are where a constant
// cannot be an input.
void TakeConstantsAsInputs(JobSpec& spec, EncodedProgram& program, const ProgramInputs* inputs);

}  // namespace wb
