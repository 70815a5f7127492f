#pragma once

// Pipelines of devices -> protobuf.

#include "scheduler/pipelines/pipeline_status.h"

namespace wasmburst::v1 {
class Pipeline;
}  // namespace wasmburst::v1

namespace wb {

// What the device has.
void PipelineToProto(const PipelineStatus& status, wasmburst::v1::Pipeline* proto);
// And how it ran there, in the jobs of all tenants: for callers who may see these.
void PipelineUseToProto(const PipelineStatus& status, wasmburst::v1::Pipeline* proto);

}  // namespace wb
