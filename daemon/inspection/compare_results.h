#pragma once

// Whether an instance came to the same end twice. Pure but for the store.

#include <optional>
#include <string>

#include "daemon/store/job_store.h"

namespace wb {

// The result that the store has of the instance. It looks through all that are there.
std::optional<InstanceResult> StoredResultOf(const JobStore& store, const JobInfo& job,
                                             uint64_t instance);

// What differs, in words; empty: nothing of end, trap, fuel, memory, values and outputs.
std::string DifferenceOf(const InstanceResult& stored, const InstanceResult& again);

}  // namespace wb
