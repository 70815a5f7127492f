#pragma once

// Protobuf <-> operands of a lane program.

#include <string>

#include "compiler/base/status.h"
#include "scheduler/job/lane_program.h"
#include "wasmburst/v1/program.pb.h"

namespace wb {

constexpr size_t kLongestName = 1024;  // bytes of any name in a job

// INVALID_ARGUMENT with `field` or a field inside it. Nested loads are counted before they are
// parsed.
Result<Operand> OperandFromProto(const wasmburst::v1::Operand& proto, const std::string& field);
void OperandToProto(const Operand& operand, wasmburst::v1::Operand* proto);

}  // namespace wb
