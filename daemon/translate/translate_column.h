#pragma once

// Protobuf -> columns.

#include <functional>
#include <string>

#include "daemon/store/input_store.h"
#include "scheduler/job/job.h"

namespace wasmburst::v1 {
class Column;
}

namespace wb {

// Finds uploaded inputs by digest: InputStore::Get.
using FindInput = std::function<Result<StoredInput>(const Digest&)>;

Result<StoredInput> NoInputs(const Digest& digest);  // NOT_FOUND

// Of any rule, with as many values as the job has instances. Values of an uploaded one are shared
// with the store. INVALID_ARGUMENT with the field; NOT_FOUND for an input that is not there.
Result<Column> ColumnFromProto(const wasmburst::v1::Column& proto, uint64_t instances,
                               const FindInput& find_input, const std::string& field);

// A constant or a range.
Result<Column> RuleFromProto(const wasmburst::v1::Column& proto, const std::string& field);

// The type of a list, by its number in ValueType.
Result<ValueType> ListTypeFromProto(uint32_t type, const std::string& field);

}  // namespace wb
