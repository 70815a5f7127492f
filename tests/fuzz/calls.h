#pragma once

// What is asked of a subject: the steps of a lane, and the arguments of every lane. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/job/lane_program.h"
#include "tests/fuzz/batch.h"
#include "tests/oracle/oracle.h"

namespace wb::fuzz {

inline constexpr uint32_t kLanes = 9;  // with arguments of their own each

struct PlannedCall {
  uint32_t part = 0;     // of the batch
  std::string function;  // kInstantiateExport: the part's instantiation
  std::vector<ValueType> params;
  std::vector<ValueType> results;
  size_t number = 0;  // of the subject's exported functions
};

struct Plan {
  std::vector<PlannedCall> calls;  // steps of the lane program
  size_t first_export = 0;         // calls before it instantiate
  size_t first_look = 0;           // calls from here on look at the state
  std::vector<std::vector<std::vector<oracle::Value>>> args;  // [lane][call]
  EncodedProgram program;
  std::vector<uint32_t> columns;  // as a dispatch of kLanes takes them
};

// Instantiates the subject's parts, calls its exports from number `skip` on, in order and then once
// more, then looks at its state. Arguments depend on the subject's name and the calls.
Result<Plan> MakePlan(const Batch& batch, size_t subject, size_t skip);

}  // namespace wb::fuzz
