#pragma once

// A lane program, named by exports and columns, becomes the words that the kernel's outer loop
// reads. Pure.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/wasm/module.h"
#include "scheduler/job/lane_program.h"

namespace wb {

// Checks the program against the module's exports and the columns' types.
// ENTRY_POINT_NOT_FOUND (lists the exports), SIGNATURE_MISMATCH, LIMIT_TOO_HIGH, INVALID_ARGUMENT
// with the step.
// `inputs`: of a module with primitives, the bytes columns that it may read, by number.
// `instance_column`: the column with an instance's number, `instances`: how many there are.
struct ProgramInputs {
  std::vector<uint32_t> columns;
  uint32_t instance_column = 0;
  uint64_t instances = 0;
  // The column of these that the device keeps, and its bytes: it has no column words.
  std::optional<uint32_t> kept;
  uint64_t kept_bytes = 0;
};
Result<EncodedProgram> EncodeProgram(const Module& module, const std::vector<Step>& steps,
                                     const std::vector<ColumnType>& columns,
                                     const ProgramInputs* inputs = nullptr);

}  // namespace wb
