#pragma once

// A program's command -> the inputs, streams and steps of its job.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"

namespace wasmburst::v1 {
class Command;
}

namespace wb {

struct ParsedJob;

// The name of the system layer among a job's linked modules.
inline constexpr const char* kSystemModule = "system";

// Adds to `job`, whose own steps and columns are there: columns of what the command gives itself,
// the inputs of the system layer (system_configuration.h), the names of its streams, and its steps.
// A job without steps calls `_start`. The last step delivers the output files.
// INVALID_ARGUMENT with the field.
Status AddCommand(const wasmburst::v1::Command& proto, ParsedJob* job);

// INVALID_ARGUMENT unless the job has this column and it holds bytes.
Status CheckBytesColumn(const ParsedJob& job, uint32_t column, const std::string& field);

}  // namespace wb
