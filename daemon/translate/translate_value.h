#pragma once

// Protobuf <-> values, and the error of a field.

#include <string>

#include "compiler/base/status.h"
#include "scheduler/job/job.h"
#include "wasmburst/v1/program.pb.h"

namespace wb {

wasmburst::v1::ValueType TypeToProto(ValueType type);
void ValueToProto(const Value& value, wasmburst::v1::Value* proto);
Result<Value> ValueFromProto(const wasmburst::v1::Value& proto, const std::string& field);
Value ValueOfBits(ValueType type, uint64_t bits);
Status FieldError(const std::string& field, const std::string& words);  // INVALID_ARGUMENT

}  // namespace wb
