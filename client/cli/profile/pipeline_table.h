#pragma once

// What a device has of a module, as a table: a row for each fact, a column for each pipeline.

#include <string>

#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// Empty where there is none.
std::string PipelineTable(const wasmburst::v1::ListPipelinesResponse& response);

// "61.3 % of lanes were useful, 1.2 G instructions of 1.96 G".
std::string DivergenceText(const wasmburst::v1::Divergence& divergence);

}  // namespace wb::cli
