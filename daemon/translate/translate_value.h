#pragma once

// Protobuf <-> values; part of translate_job.h, which the services include.

#include <string>

#include "scheduler/job/job.h"
#include "wasmburst/v1/program.pb.h"

namespace wb {

wasmburst::v1::ValueType TypeToProto(ValueType type);
Value ValueOfBits(ValueType type, uint64_t bits);
Status FieldError(const std::string& field, const std::string& words);  // INVALID_ARGUMENT

}  // namespace wb
