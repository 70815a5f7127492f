#pragma once

// The state of an instance besides its frames, as it lies in its lane. Pure.

#include <cstdint>
#include <span>

#include "compiler/base/status.h"
#include "compiler/ir/lowered_module.h"
#include "scheduler/devices/inspection.h"
#include "scheduler/devices/shape.h"

namespace wb {

// Types of the module's globals by the lane word where each begins; kVoid elsewhere.
std::vector<ValueType> GlobalTypes(const LoweredModule& module);

// Fills memories, globals and tables. `lane`: contiguous, of a dispatch of this shape, which holds
// all of memory 0. LIMIT_TOO_HIGH: what is not zero has more than `max_bytes`.
Status TakeState(const LoweredModule& module, const DispatchShape& shape,
                 std::span<const uint32_t> lane, uint64_t max_bytes, Inspection* to);

}  // namespace wb
