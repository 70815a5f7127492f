#pragma once

// Inspections (scheduler/devices/inspection.h) as protocol messages. What arrives is checked: types
// of values are known ones, and nothing is longer than what was asked for.

#include "compiler/base/status.h"
#include "scheduler/devices/inspection.h"
#include "scheduler/engine_host/engine.pb.h"

namespace wb {

void Put(const InspectionRequest& request, wasmburst::engine::Inspect& out);
InspectionRequest InspectionRequestOf(const wasmburst::engine::Inspect& inspect);

void Put(Inspection seen, wasmburst::engine::Inspected& out);
// What a host told when it was asked this. INTERNAL: no sound host tells it.
Result<Inspection> InspectionOf(wasmburst::engine::Inspected& in, const InspectionRequest& request);

}  // namespace wb
