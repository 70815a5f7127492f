#pragma once

// The rows of a look-up (Binding.lookup) from protobuf.

#include <string>

#include "compiler/base/status.h"
#include "compiler/link/binding.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {

// The types are those of the first row. INVALID_ARGUMENT with the field of the row that differs, or
// for a table without rows or with too many.
Result<LookupTable> TableFromProto(const wasmburst::v1::Binding::Lookup& proto,
                                   const std::string& field);

}  // namespace wb
