#pragma once

// Pipelines of devices -> protobuf.

#include "scheduler/pipelines/pipeline_status.h"

namespace wasmburst::v1 {
class Pipeline;
}  // namespace wasmburst::v1

namespace wb {

void PipelineToProto(const PipelineStatus& status, wasmburst::v1::Pipeline* proto);

}  // namespace wb
